/** Opens a file with every layer, and prepares statements on it. */

import { DatabaseSync, type DatabaseSyncOptions, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { Allowance } from "../query.ts";
import { createAuthorizer, toRights } from "./authorizer.ts";
import { layers as allLayers, type Layer } from "./layers.ts";
import { readText } from "./read-text.ts";

export interface Handle extends Disposable {
  prepare(sql: string, allows: Allowance): Prepared;
}

export interface Prepared {
  readonly statement: StatementSync;
  /** As SQLite names them: two may be the same. */
  readonly columns: readonly string[];
  /** With their sign, such as `:id`. */
  readonly parameters: readonly string[];
}

/** How many prepared statements are kept: stops a reader from growing with each new text. */
const maxStatements = 64;

/** @param layers every layer; a test takes some away */
export function openHandle(file: string, layers: readonly Layer[] = allLayers): Handle {
  const database = openFile(file, layers);
  const authorizes = layers.some((layer) => layer.authorizes === true);
  const readsText = layers.some((layer) => layer.readsText === true);
  if (authorizes) connectModules(database);
  const present = authorizes ? listReadable(database) : [];
  const statements = new Map<string, Prepared>();
  const prepare = (sql: string, allows: Allowance): Prepared => {
    const parameters = readsText ? readText(sql) : [];
    if (authorizes) database.setAuthorizer(createAuthorizer(toRights(allows, present)));
    const statement = database.prepare(sql);
    const columns = statement.columns().map(({ name }) => name);
    return { statement, columns, parameters };
  };
  return {
    prepare: (sql, allows) => {
      const key = JSON.stringify([sql, allows]);
      const kept = statements.get(key);
      if (kept !== undefined) return kept;
      const prepared = prepare(sql, allows);
      const [oldest] = statements.keys();
      if (statements.size >= maxStatements && oldest !== undefined) statements.delete(oldest);
      statements.set(key, prepared);
      return prepared;
    },
    [Symbol.dispose]: () => {
      database.close();
    },
  };
}

/** Opens a file with the layers that are laid on a database, and none of those that look at statements. */
export function openFile(file: string, layers: readonly Layer[] = allLayers): DatabaseSync {
  const url = pathToFileURL(file);
  for (const { uri = {} } of layers)
    for (const [name, value] of Object.entries(uri)) url.searchParams.set(name, value);
  const options: DatabaseSyncOptions = { readBigInts: true, returnArrays: true };
  for (const layer of layers) Object.assign(options, layer.options);
  const database = new DatabaseSync(url, options);
  for (const { pragmas = [] } of layers)
    for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
  return database;
}

/** Lists the tables and views of the file, in lower case. */
function listReadable(database: DatabaseSync): readonly string[] {
  return listNames(database, "type IN ('table', 'view')").map((name) => name.toLowerCase());
}

/**
 * Makes ready the tables that modules of SQLite serve. A module prepares its own statements when its table is first named,
 * writes among them: that comes before the authorizer.
 */
export function connectModules(database: DatabaseSync): void {
  for (const name of listNames(database, "type = 'table' AND sql LIKE 'create virtual%'")) {
    try {
      database.prepare(`SELECT 1 FROM "${name.replaceAll('"', '""')}"`);
    } catch {
      // its module is not there, or its own tables are broken: whoever reads it is told then
    }
  }
}

function listNames(database: DatabaseSync, where: string): readonly string[] {
  const rows = database.prepare(`SELECT name FROM sqlite_schema WHERE ${where}`).all();
  return rows.flatMap((row) => {
    const [name]: readonly unknown[] = Array.isArray(row) ? row : [];
    return typeof name === "string" && !/^sqlite_/i.test(name) ? [name] : [];
  });
}
