/**
 * Finds what a masked column would be used for beside being shown as NULL.
 *
 * To SQLite's authorizer a masked column is NULL wherever it is named: in a condition it finds nothing, and an operator who wrote
 * one does not get what they wanted. Three ways pass the authorizer by and would let a caller probe the true value; they are refused:
 * USING and NATURAL compare columns that are not named, and a generated column holds what was computed of another.
 */

import type { Examination, Table } from "../database.ts";
import type { MaskedColumn, Rights } from "./resolve-rights.ts";
import { scanSql, type SqlToken } from "../scan-sql.ts";

export function findMaskFaults(
  examination: Examination,
  tokens: readonly SqlToken[],
  { masked, schema }: Rights,
): readonly string[] {
  const { reads } = examination;
  const isRead = (table: string): boolean => reads.some((read) => isSame(read.table, table));
  const near = masked.filter(({ table }) => isRead(table));
  if (near.length === 0) return [];
  const views = schema.tables.filter(({ name, kind }) => kind === "view" && isRead(name));
  const texts = [tokens, ...views.map(({ definition }) => scanSql(definition ?? "").tokens)];
  return [
    ...near
      .filter((column) => isUsed(column, examination, views))
      .map(
        (column) =>
          `it reads the masked column "${show(column)}" for more than to show it, where it is NULL, expected it among the columns of the result alone, or not at all`,
      ),
    ...findGenerated(examination, near, schema),
    ...texts.flatMap((text) => findSilentComparisons(text, near)),
  ];
}

/** More often read than shown. What a view does with it is the view's. */
function isUsed(
  { table, column }: MaskedColumn,
  { reads, columns }: Examination,
  views: readonly Table[],
): boolean {
  const isView = (via = ""): boolean => views.some(({ name }) => isSame(name, via));
  const read = reads
    .filter((each) => isSame(each.table, table) && isSame(each.column, column) && !isView(each.via))
    .reduce((sum, { times }) => sum + times, 0);
  const shown = columns.filter(
    (each) => isSame(each.table ?? "", table) && isSame(each.column ?? "", column),
  );
  return read > shown.length;
}

function findGenerated(
  { reads }: Examination,
  masked: readonly MaskedColumn[],
  { tables }: Rights["schema"],
): readonly string[] {
  const generated = tables.flatMap(({ name: table, columns }) =>
    columns.filter(({ isGenerated }) => isGenerated).map(({ name: column }) => ({ table, column })),
  );
  const isMasked = (column: MaskedColumn): boolean =>
    masked.some((each) => show(each).toLowerCase() === show(column).toLowerCase());
  const risky = generated.filter(
    (column) =>
      masked.some(({ table }) => isSame(table, column.table)) &&
      !isMasked(column) &&
      reads.some((read) => isSame(read.table, column.table) && isSame(read.column, column.column)),
  );
  return risky.map(
    (column) =>
      `it reads the generated column "${show(column)}", which may be made of a masked one, expected it in the mask too`,
  );
}

function findSilentComparisons(
  tokens: readonly SqlToken[],
  masked: readonly MaskedColumn[],
): readonly string[] {
  const faults: string[] = [];
  for (const [index, token] of tokens.entries()) {
    if (isWord(token, "NATURAL") && isWord(tokens[index + 1], ...joins))
      faults.push(`it has a NATURAL JOIN, which compares also what is masked, expected ON`);
    if (!isWord(token, "USING") || tokens[index + 1]?.text !== "(") continue;
    const end = tokens.findIndex(
      ({ text, kind }, at) => at > index && kind === "symbol" && text === ")",
    );
    const names = tokens.slice(index + 2, end === -1 ? undefined : end);
    const hit = masked.find(({ column }) => names.some(({ text }) => isSame(text, column)));
    if (hit !== undefined)
      faults.push(
        `it has USING (${hit.column}), which compares "${show(hit)}" though it is masked, expected ON`,
      );
  }
  return faults;
}

const joins = ["JOIN", "LEFT", "RIGHT", "FULL", "INNER", "CROSS", "OUTER"];

function isWord(token: SqlToken | undefined, ...words: readonly string[]): boolean {
  return token?.kind === "name" && !token.isQuoted && words.includes(token.text.toUpperCase());
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function show({ table, column }: MaskedColumn): string {
  return `${table}.${column}`;
}
