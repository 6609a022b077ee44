/** Bytebase's DBHub: `node:sqlite` in the server's own process, on the official SDK. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toRecord } from "../messages.ts";
import { fetchPeer } from "./peers.ts";
import { readJsonTexts, type SqliteServer } from "./server.ts";

const specifier = "@bytebase/dbhub@1.4.0";

export const dbhub: SqliteServer = {
  prepare(folder, database, asks) {
    const tools = asks.map(
      ({ tool, description, sql, parameter }) => `
[[tools]]
name = "${tool}"
source = "items"
description = "${description}"
statement = "${sql}"
readonly = true
[[tools.parameters]]
name = "${parameter}"
type = "integer"
description = "${parameter}"
`,
    );
    const source = `[[sources]]\nid = "items"\ndsn = "sqlite://${database}"\n`;
    const file = join(folder, "dbhub.toml");
    writeFileSync(file, source + tools.join(""));
    const program = "node_modules/@bytebase/dbhub/dist/index.js";
    const peer = join(fetchPeer(specifier), program);
    return [process.execPath, peer, "--config", file, "--transport", "stdio"];
  },
  readRows: (result) => {
    const { data } = toRecord(readJsonTexts(result)[0]);
    const { statements } = toRecord(data);
    return Array.isArray(statements) ? toRecord(statements[0])["rows"] : undefined;
  },
};
