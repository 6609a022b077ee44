/** Reads rows by the names of their columns; what each value is, the reader of a column decides. */

import type { Answer, Value } from "../sqlite/index.ts";

export type Cells = Readonly<Record<string, Value>>;

export function toCells({ columns, rows }: Answer): readonly Cells[] {
  return rows.map((row) =>
    Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])),
  );
}

/** Gives a whole number of SQLite, whatever its size; `undefined` for anything else. */
export function readInteger(value: Value | undefined): bigint | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  return typeof value === "string" && wholeNumber.test(value) ? BigInt(value) : undefined;
}

const wholeNumber = /^-?\d{1,19}$/;

/** Gives what `count(*)` counted. */
export function readCount(value: Value | undefined): number {
  return typeof value === "number" ? value : 0;
}

/** Gives what a comparison of SQLite says; NULL is no. */
export function readFlag(value: Value | undefined): boolean {
  return value === 1;
}
