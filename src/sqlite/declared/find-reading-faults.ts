/** Holds what a statement would do, as SQLite tells it, against what its door allows. */

import { expectOneOf, findNearest } from "../../protocol/index.ts";
import type { ColumnRead, Examination, Schema } from "../database.ts";
import { isCleaned } from "../pool/clean.ts";
import { computingTables, tellingTables } from "../reader/served-tables.ts";
import { findMaskFaults } from "./find-mask-faults.ts";
import type { Rights } from "./resolve-rights.ts";
import type { SqlToken } from "../scan-sql.ts";

/** Gives `<what is>, expected <what should be>` for each. */
export function findReadingFaults(
  examination: Examination,
  tokens: readonly SqlToken[],
  rights: Rights,
): readonly string[] {
  const { refusal, otherActions, isRecursive, functions } = examination;
  if (otherActions.length > 0)
    return [`it does more than read (${otherActions.join(", ")}), expected a SELECT`];
  if (refusal !== undefined) return [`SQLite refuses it: ${refusal}${suggest(refusal, rights)}`];
  return [
    ...findTableFaults(examination, tokens, rights),
    ...(isRecursive && !rights.recursive
      ? [
          `it is recursive and may go on until its time is over, expected "recursive: true" at the door`,
        ]
      : []),
    ...functions
      .filter((name) => !rights.functions.has(name))
      .map((name) => `it calls ${name}(), which is not allowed, ${expectFunction(name, rights)}`),
    ...findMaskFaults(examination, tokens, rights),
  ];
}

/** Whether a WITH or a subquery has that name: SQLite tells of it where only rows are counted, as it does of a table. */
export function isOwnName({ table, column }: ColumnRead, { tables }: Schema): boolean {
  const name = table.toLowerCase();
  return (
    column === "" &&
    !tellingTables.test(name) &&
    !tables.some((each) => each.name.toLowerCase() === name)
  );
}

function findTableFaults(
  { reads }: Examination,
  tokens: readonly SqlToken[],
  { schema, tables }: Rights,
): readonly string[] {
  const odd = reads.find(({ table }) => isCleaned(table));
  if (odd !== undefined)
    return [`it reads "${odd.table}", whose name holds what is not shown, expected a plain name`];
  const granting = findGrantingViews(reads, tokens, tables);
  const strange = reads.filter((read) => {
    const name = read.table.toLowerCase();
    if (tables.has(name) || computingTables.has(name) || isOwnName(read, schema)) return false;
    return read.via === undefined || !granting.has(read.via.toLowerCase());
  });
  return [...new Set(strange.map(({ table }) => table))].map((name) => {
    if (/^sqlite_/i.test(name))
      return `it reads "${name}", a table of SQLite's own, expected one of the operator's`;
    const isThere = schema.tables.some((table) => table.name.toLowerCase() === name.toLowerCase());
    const what = isThere ? "which is not allowed" : "which is no table of the file";
    return `it reads "${name}", ${what}, ${expectOneOf(
      name,
      schema.tables.map((table) => table.name).filter((other) => tables.has(other.toLowerCase())),
    )}`;
  });
}

/**
 * Who may read a view may read by it what stands behind it. The name of a WITH looks like a view's here, so a statement that
 * has one is granted nothing.
 */
function findGrantingViews(
  reads: Examination["reads"],
  tokens: readonly SqlToken[],
  tables: ReadonlySet<string>,
): ReadonlySet<string> {
  const granting = new Set<string>();
  if (
    tokens.some(
      ({ kind, text, isQuoted }) => kind === "name" && !isQuoted && text.toUpperCase() === "WITH",
    )
  )
    return granting;
  for (let size = -1; size < granting.size;) {
    size = granting.size;
    for (const { table, via } of reads) {
      const name = table.toLowerCase();
      if (via === undefined ? tables.has(name) : granting.has(via.toLowerCase()))
        granting.add(name);
    }
  }
  return granting;
}

/** SQLite names what it does not find; the nearest that there is may be what was meant. */
function suggest(refusal: string, { schema, tables, functions }: Rights): string {
  const [, kind = "", full = ""] = /^no such (column|table|function): (.+)$/s.exec(refusal) ?? [];
  const name = full.split(".").at(-1) ?? "";
  const readable = schema.tables.filter((table) => tables.has(table.name.toLowerCase()));
  const known: Readonly<Record<string, readonly string[]>> = {
    column: readable.flatMap(({ columns }) => columns.map((column) => column.name)),
    table: readable.map((table) => table.name),
    function: [...functions],
  };
  const near = findNearest(name, known[kind] ?? []);
  return near === undefined ? "" : `, did you mean "${near}"?`;
}

function expectFunction(name: string, { functions }: Rights): string {
  const text = expectOneOf(name, [...functions]);
  return text.startsWith("did you")
    ? text
    : "expected one of the door's functions, or one that only computes";
}
