/** Says what the statements of a door may read, out of what the operator names and what stands in the file. */

import { describeValue, expectOneOf } from "../../protocol/index.ts";
import type { Schema, Table } from "../database.ts";
import type { Allowance } from "../query.ts";
import { isCleaned } from "../pool/clean.ts";
import { plainFunctions } from "../reader/plain-functions.ts";
import type { DeclarationFault, Declarations } from "./declaration.ts";

export interface Rights {
  readonly schema: Schema;
  /** In lower case. */
  readonly tables: ReadonlySet<string>;
  /** In lower case. */
  readonly functions: ReadonlySet<string>;
  readonly recursive: boolean;
  readonly masked: readonly MaskedColumn[];
}

export type MaskedColumn = NonNullable<Allowance["masked"]>[number];

export interface Resolved<Value> {
  readonly value: Value;
  readonly faults: readonly DeclarationFault[];
}

export function resolveRights(
  { tables, mask = [], functions, recursive = false }: Omit<Declarations, "queries">,
  schema: Schema,
): Resolved<Rights> {
  const present = schema.tables.filter(({ kind }) => kind !== "shadow").map(({ name }) => name);
  const known = schema.tables.map(({ name }) => name);
  const masked = resolveMask(mask, schema);
  return {
    value: {
      schema,
      tables: lowerAll(tables ?? present),
      functions: functions === undefined ? plainFunctions : lowerAll(functions),
      recursive,
      masked: masked.value,
    },
    faults: [
      ...findStrangers(
        "tables",
        tables ?? [],
        lowerAll(known),
        (name) => `there is no table "${name}" in the file, ${expectOneOf(name, present)}`,
      ),
      ...findStrangers(
        "functions",
        functions ?? [],
        plainFunctions,
        (name) =>
          `"${name}" is no function of SQLite that only computes, ${expectOneOf(name, [...plainFunctions])}`,
      ),
      ...masked.faults.map(({ path, what }) => ({ path: ["mask", ...path], what })),
    ],
  };
}

/** Finds the columns that are named as `table.column`; a table's name may have a point in it. */
export function resolveMask(
  entries: readonly string[],
  { tables }: Schema,
): Resolved<readonly MaskedColumn[]> {
  const all = tables.flatMap((table) =>
    table.columns.map(({ name }) => ({ table, column: name, entry: `${table.name}.${name}` })),
  );
  const value: MaskedColumn[] = [];
  const faults: DeclarationFault[] = [];
  for (const [index, entry] of entries.entries()) {
    const found = all.find((each) => each.entry.toLowerCase() === entry.toLowerCase());
    if (found === undefined) {
      const what = `it is ${describeValue(entry)}, which is no table.column of the file, ${expectNear(
        entry,
        all.map((each) => each.entry),
      )}`;
      faults.push({ path: [index], what });
    } else if (isCleaned(found.table.name) || isCleaned(found.column)) {
      const what = `the name of "${found.entry}" holds what is not shown, and SQLite knows it by that alone, expected a plain name`;
      faults.push({ path: [index], what });
    } else if (isSearchable(found.table)) {
      const what = `"${found.table.name}" is a table that a module of SQLite serves, which finds by the column all the same, expected a column of an ordinary table or a view`;
      faults.push({ path: [index], what });
    } else value.push({ table: found.table.name, column: found.column });
  }
  return { value, faults };
}

function isSearchable({ kind }: Table): boolean {
  return kind === "virtual" || kind === "shadow";
}

function findStrangers(
  key: string,
  names: readonly string[],
  known: ReadonlySet<string>,
  describe: (name: string) => string,
): readonly DeclarationFault[] {
  return names.flatMap((name, index) =>
    known.has(name.toLowerCase()) ? [] : [{ path: [key, index], what: describe(name) }],
  );
}

/** All columns of all tables would be a long sentence. */
function expectNear(name: string, names: readonly string[]): string {
  const text = expectOneOf(name, names);
  return text.startsWith("did you") ? text : "expected one such as customers.email";
}

function lowerAll(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}
