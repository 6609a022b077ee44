/** Opens a file with the layers that are laid on a database; those that look at statements come later. */

import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { layers as allLayers, type Layer } from "./layers.ts";

/** @param layers every layer; a test takes some away */
export function openFile(file: string, layers: readonly Layer[] = allLayers): DatabaseSync {
  const url = pathToFileURL(file); // SQLite reads "?" and "#" in a path otherwise
  const options: DatabaseSyncOptions = { readBigInts: true, returnArrays: true };
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer.uri ?? {})) url.searchParams.set(name, value);
    Object.assign(options, layer.options);
  }
  const database = new DatabaseSync(url, options);
  for (const { pragmas = [] } of layers)
    for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
  return database;
}

/** Runs a statement of our own. */
export function readRows(
  database: DatabaseSync,
  sql: string,
  ...parameters: readonly string[]
): readonly (readonly unknown[])[] {
  return database
    .prepare(sql)
    .all(...parameters)
    .map(toArray);
}

/** With `returnArrays` every row is an array, which the types do not know. */
export function toArray(row: unknown): readonly unknown[] {
  return Array.isArray(row) ? row : [];
}
