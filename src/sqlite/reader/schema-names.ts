/** Reads the names in a file's schema, and makes its modules ready. */

import type { DatabaseSync } from "node:sqlite";
import type { Present } from "./authorizer.ts";
import { readRows } from "./open-file.ts";

/** Lists the tables and views of the file. */
export function listPresent(database: DatabaseSync): Present {
  const toSet = (names: readonly string[]): ReadonlySet<string> =>
    new Set(names.map((name) => name.toLowerCase()));
  return {
    all: toSet(listNames(database, "type IN ('table', 'view')")),
    served: toSet(listNames(database, isServed)),
  };
}

/**
 * Makes ready the tables that modules of SQLite serve. A module prepares its own statements when its table is first named,
 * writes among them: that comes before the authorizer.
 */
export function connectModules(database: DatabaseSync): void {
  for (const name of listNames(database, isServed).slice(0, maxModules)) {
    try {
      database.prepare(`SELECT 1 FROM "${name.replaceAll('"', '""')}"`);
    } catch {
      // its module is not there, or its own tables are broken: whoever reads it is told then
    }
  }
}

const isServed = "type = 'table' AND sql LIKE 'create virtual%'";

/** Stops a file with thousands of such tables from taking seconds to open: the others cannot be read. */
const maxModules = 100;

function listNames(database: DatabaseSync, where: string): readonly string[] {
  return readRows(database, `SELECT name FROM sqlite_schema WHERE ${where}`).flatMap(([name]) =>
    typeof name === "string" && !/^sqlite_/i.test(name) ? [name] : [],
  );
}
