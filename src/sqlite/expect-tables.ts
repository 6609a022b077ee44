/** Holds a database against the tables that a program needs of it, before anything is asked. */

import { showControls, UsageError } from "../protocol/index.ts";
import type { Column, Schema, Table } from "./database.ts";

export interface TableExpectation {
  /** In any case of letters, as SQLite takes names. */
  readonly name: string;
  readonly columns: readonly ColumnExpectation[];
  /** Whether it may be missing altogether; where it is there, it has to be right. */
  readonly isOptional?: boolean;
}

export interface ColumnExpectation {
  readonly name: string;
  /** What SQLite makes of the declared type. Default: any. */
  readonly affinity?: readonly Affinity[];
  /** Whether it may be missing; where it is there, its type has to be right. */
  readonly isOptional?: boolean;
}

export type Affinity = "INTEGER" | "TEXT" | "BLOB" | "REAL" | "NUMERIC";

/**
 * Throws a `UsageError` (`wrong-schema`) that lists all that is missing or different, each on a line of its own where there are
 * several; what the file itself says has no line ends.
 *
 * @param hint what to do where the file is another
 */
export function expectTables(
  { tables }: Schema,
  expectations: readonly TableExpectation[],
  path: string,
  hint?: string,
): void {
  const faults = expectations.flatMap((expectation) => findTableFaults(tables, expectation));
  if (faults.length === 0) return;
  const shown = faults.map(showControls);
  const list = shown.length === 1 ? ` ${shown.join("")}` : `\n  ${shown.join("\n  ")}`;
  const what = `Cannot use "${showControls(path)}":${list}`;
  throw new UsageError("wrong-schema", what, { ...(hint !== undefined && { hint }) });
}

/** Tells what a column's values become when they are written. @see https://sqlite.org/datatype3.html#determination_of_column_affinity */
export function readAffinity(type: string): Affinity {
  const upper = type.toUpperCase();
  if (upper.includes("INT")) return "INTEGER";
  if (/CHAR|CLOB|TEXT/.test(upper)) return "TEXT";
  if (upper === "" || upper.includes("BLOB")) return "BLOB";
  return /REAL|FLOA|DOUB/.test(upper) ? "REAL" : "NUMERIC";
}

function findTableFaults(
  tables: readonly Table[],
  { name, columns, isOptional = false }: TableExpectation,
): readonly string[] {
  const table = tables.find((each) => isSameName(each.name, name));
  if (table === undefined) return isOptional ? [] : [`there is no table "${name}", expected one`];
  if (table.kind !== "table") return [`"${name}" is ${kinds[table.kind]}, expected a plain table`];
  return columns.flatMap((expectation) => findColumnFaults(table, expectation));
}

/** What stands in a plain table's place runs somebody's SQL or a module's code when it is read. */
const kinds = {
  view: "a view",
  virtual: "a virtual table",
  shadow: "a shadow table of a virtual one",
} as const;

function findColumnFaults(
  table: Table,
  { name, affinity, isOptional = false }: ColumnExpectation,
): readonly string[] {
  const where = `"${table.name}"."${name}"`;
  const column = table.columns.find((each) => isSameName(each.name, name));
  if (column === undefined) return isOptional ? [] : [`there is no column ${where}, expected one`];
  if (affinity === undefined || affinity.includes(readAffinity(column.type))) return [];
  return [`${where} is ${describeType(column)}, expected ${affinity.join(" or ")}`];
}

function describeType({ type }: Column): string {
  return type === "" ? "of no type" : `of the type ${type}`;
}

/** SQLite folds the case of ASCII letters only. */
function isSameName(one: string, two: string): boolean {
  return toLower(one) === toLower(two);
}

function toLower(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
