/** The floor: prepared statements behind the wire, and nothing around them. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathOf } from "../subjects.ts";
import { readJsonTexts, type SqliteServer } from "./server.ts";

export const bare: SqliteServer = {
  prepare(folder, database, asks) {
    const file = join(folder, "asks.json");
    writeFileSync(file, JSON.stringify(asks));
    return [process.execPath, pathOf("sqlite-bare"), database, file];
  },
  readRows: (result) => readJsonTexts(result)[0],
};
