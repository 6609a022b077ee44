/** Runs a prepared statement and reads its rows. */

import type { SQLInputValue } from "node:sqlite";
import type { Value } from "../query.ts";
import { markBrokenTexts } from "./broken-texts.ts";
import type { Bindings, Prepared } from "./handle.ts";
import { toArray } from "./open-file.ts";
import type { Bound, BoundQuery, ReaderSetup, Reply } from "./request.ts";
import { StatementError } from "./statement-error.ts";
import { isLargerThan, toValue } from "./to-value.ts";

export function runQuery(
  prepared: Prepared,
  query: Omit<BoundQuery, "text">,
  setup: ReaderSetup,
): Reply {
  const parameters = bind(prepared, query.parameters);
  const { cellBytes, answerBytes } = setup;
  const rows: (readonly Value[])[] = [];
  const suspects = new Set<number>();
  let bytes = 0;
  let hasMore = false;
  for (const row of prepared.run(parameters)) {
    hasMore = rows.length === query.maxRows || bytes > answerBytes;
    if (hasMore) break;
    const values: Value[] = [];
    const before = bytes;
    for (const cell of toArray(row)) {
      if (isLargerThan(cell, cellBytes))
        return { kind: "failed", failure: { of: "cell", column: values.length + 1 } };
      const value = toValue(cell);
      if (typeof value === "string" && value.includes("\uFFFD")) suspects.add(values.length);
      values.push(value);
      bytes += typeof value === "string" ? value.length + 3 : usualBytes;
      if (bytes - before > answerBytes + cellBytes)
        return { kind: "failed", failure: { of: "row" } };
    }
    rows.push(values);
  }
  const { columns } = prepared;
  if (suspects.size === 0) return { kind: "answer", columns, rows, hasMore };
  const marked = markBrokenTexts(prepared, parameters, rows, suspects);
  return { kind: "answer", columns, rows: marked, hasMore };
}

/** About what a number takes in JSON. */
const usualBytes = 16;

/** SQLite would read NULL for a parameter that is not given. */
function bind({ parameters }: Prepared, given: BoundQuery["parameters"]): Bindings {
  const values = new Map(given);
  const bound: Bindings = {};
  for (const name of parameters) {
    const value = values.get(name.slice(1));
    if (value === undefined) throw new StatementError(`its parameter ${name} is not given`);
    bound[name] = toInput(value);
  }
  if (parameters.length !== values.size)
    throw new StatementError("more parameters are given than it has");
  return bound;
}

function toInput(value: Bound): SQLInputValue {
  return typeof value === "object" && value !== null ? BigInt(value.integer) : value;
}
