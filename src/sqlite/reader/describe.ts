/** Says which tables a file has, and which columns. */

import type { DatabaseSync } from "node:sqlite";
import type { Column, Table } from "../database.ts";
import { openFile, readRows } from "./open-file.ts";

export function describe(file: string): readonly Table[] {
  using database = openFile(file);
  return readRows(database, selectTables).flatMap(([name, type, sql]) => {
    const kind = kinds.find((known) => known === type);
    if (typeof name !== "string" || kind === undefined || /^sqlite_/i.test(name)) return [];
    const definition = typeof sql === "string" ? sql : undefined;
    return [{ name, kind, columns: listColumns(database, name), definition }];
  });
}

const selectTables = `
  SELECT l.name, l.type, v.sql FROM pragma_table_list AS l
  LEFT JOIN sqlite_schema AS v ON v.type = 'view' AND v.name = l.name
  WHERE l.schema = 'main'`;

const kinds = ["table", "view", "virtual", "shadow"] as const;

/** A view or a module may be broken: then it has no columns. */
function listColumns(database: DatabaseSync, table: string): readonly Column[] {
  try {
    return readRows(
      database,
      "SELECT name, upper(type), hidden FROM pragma_table_xinfo(?) WHERE hidden <> 1",
      table,
    ).map(([name, type, hidden]) => ({
      name: String(name),
      type: String(type),
      isGenerated: hidden !== 0n,
    }));
  } catch {
    return []; // what it reads is not there
  }
}
