/** Readies a query for its reader. */

import { UsageError } from "../../protocol/index.ts";
import type { Allowance, Parameter, Query } from "../query.ts";
import type { Bound, BoundQuery } from "../reader/request.ts";

/** Throws a `UsageError` for what cannot be asked. */
export function bindQuery({ sql, parameters = {}, maxRows, allows = usual }: Query): BoundQuery {
  if (!Number.isSafeInteger(maxRows) || maxRows < 0)
    throw new UsageError(
      "invalid-query",
      `Cannot ask for ${maxRows} rows: expected a whole number`,
    );
  const bound = Object.entries(parameters).map(
    ([name, value]) => [name, bindParameter(name, value)] as const,
  );
  return { text: { sql, allows }, parameters: bound, maxRows };
}

const usual: Allowance = {};

function bindParameter(name: string, value: Parameter): Bound {
  if (typeof value === "string" && value.length > maxText)
    throw refuse(name, `a text of ${value.length} characters`, `at most ${maxText}`);
  if (value === null || typeof value === "string") return value;
  if (typeof value === "boolean") return { integer: value ? "1" : "0" };
  if (typeof value === "bigint") {
    if (BigInt.asIntN(64, value) !== value) throw refuse(name, "more than 64 bits");
    return { integer: String(value) };
  }
  if (!Number.isFinite(value)) throw refuse(name, String(value));
  const isWhole = Number.isInteger(value) && Math.abs(value) < 2 ** 63;
  if (!isWhole) return value;
  return { integer: String(Number.isSafeInteger(value) ? value : BigInt(value)) }; // no exponent
}

/** Stops one text from filling the memory of a reader. */
const maxText = 1_000_000;

function refuse(name: string, what: string, expected = "a number that SQLite has"): UsageError {
  return new UsageError(
    "invalid-query",
    `Cannot bind ":${name}": it is ${what}, expected ${expected}`,
  );
}
