/** Reads the cells of a row; a cell of another type means that somebody else wrote the state. */

import { describeValue } from "../protocol/index.ts";
import { StateError } from "./state-error.ts";
import type { Row } from "./store.ts";

export function textOf(row: Row, column: string): string {
  const cell = row[column];
  if (typeof cell === "string") return cell;
  throw unexpected(row, column, "a text");
}

export function numberOf(row: Row, column: string): number {
  const cell = row[column];
  if (typeof cell === "number") return cell;
  throw unexpected(row, column, "a number");
}

/** NULL becomes `undefined`. */
export function optionalTextOf(row: Row, column: string): string | undefined {
  return row[column] === null ? undefined : textOf(row, column);
}

/** NULL becomes `undefined`. */
export function optionalNumberOf(row: Row, column: string): number | undefined {
  return row[column] === null ? undefined : numberOf(row, column);
}

function unexpected(row: Row, column: string, expected: string): StateError {
  const found = describeValue(row[column]);
  return new StateError(
    "corrupt",
    `Cannot read the column "${column}" of the state: it is ${found}, expected ${expected}`,
  );
}
