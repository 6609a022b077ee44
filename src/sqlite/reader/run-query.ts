/** Runs one statement and reads its rows. */

import type { SQLInputValue } from "node:sqlite";
import type { Value } from "../query.ts";
import type { Handle, Prepared } from "./handle.ts";
import type { Bound, BoundQuery, ReaderSetup, Reply } from "./request.ts";
import { StatementError } from "./statement-error.ts";
import { toValue } from "./to-value.ts";

export function runQuery(handle: Handle, query: BoundQuery, setup: ReaderSetup): Reply {
  const prepared = handle.prepare(query.sql, query.allows);
  const parameters = bind(prepared, query.parameters);
  const rows: (readonly Value[])[] = [];
  let bytes = 0;
  for (const row of prepared.statement.iterate(parameters)) {
    if (rows.length === query.maxRows || bytes > setup.answerBytes)
      return { kind: "answer", columns: prepared.columns, rows, hasMore: true };
    const values: Value[] = [];
    for (const cell of Array.isArray(row) ? row : []) {
      const value = toValue(cell, setup.cellBytes);
      if (value === undefined)
        return { kind: "failed", failure: { of: "cell", column: values.length + 1 } };
      values.push(value);
      bytes += typeof value === "string" ? value.length + 3 : 16;
    }
    rows.push(values);
  }
  return { kind: "answer", columns: prepared.columns, rows, hasMore: false };
}

/** SQLite would read NULL for a parameter that is not given. */
function bind(
  { parameters }: Prepared,
  given: BoundQuery["parameters"],
): Record<string, SQLInputValue> {
  const values = new Map(given);
  const bound: [string, SQLInputValue][] = parameters.map((name) => {
    const value = values.get(name.slice(1));
    if (!name.startsWith(":") || value === undefined)
      throw new StatementError(`its parameter ${name} is not given`);
    return [name, toInput(value)];
  });
  if (bound.length !== values.size)
    throw new StatementError("more parameters are given than it has");
  return Object.fromEntries(bound);
}

function toInput(value: Bound): SQLInputValue {
  return typeof value === "object" && value !== null ? BigInt(value.integer) : value;
}
