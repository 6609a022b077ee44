/** Makes an expression over some columns. It may be one that fails, as `sum` does past 64 bits: then it fails everywhere. */

import { collations, randomLiteral } from "./random-database.ts";
import type { Random } from "./seeded-random.ts";

export function randomExpression(
  columns: readonly string[],
  random: Random,
  depth: number,
): string {
  if (depth === 0) {
    if (random.oneIn(6)) return random.pick(["id", "ref"]);
    return random.oneIn(4) ? randomLiteral(random) : random.pick(columns);
  }
  const inner = (): string => randomExpression(columns, random, depth - 1);
  return random.pick(kinds)(inner, random);
}

type Kind = (inner: () => string, random: Random) => string;

const operators = ["+", "-", "*", "/", "%", "||", "&", "|", "<<", ">>"] as const;
const comparisons = ["=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT", "AND", "OR"] as const;
const unary = ["-", "+", "~", "NOT "] as const;
const castTypes = ["INTEGER", "REAL", "TEXT", "BLOB", "NUMERIC"] as const;
const functions = [
  "abs",
  "hex",
  "length",
  "lower",
  "ltrim",
  "octet_length",
  "quote",
  "round",
  "rtrim",
  "sign",
  "trim",
  "typeof",
  "unicode",
  "upper",
] as const;

const kinds: readonly Kind[] = [
  (inner) => inner(),
  (inner, random) => `(${inner()} ${random.pick(operators)} ${inner()})`,
  (inner, random) => `(${inner()} ${random.pick(comparisons)} ${inner()})`,
  (inner, random) => `(${random.pick(unary)}${inner()})`,
  (inner, random) => `CAST(${inner()} AS ${random.pick(castTypes)})`,
  (inner, random) => `${random.pick(functions)}(${inner()})`,
  (inner, random) => `${random.pick(functions)}(${inner()})`,
  (inner) => `CASE ${inner()} WHEN ${inner()} THEN ${inner()} ELSE ${inner()} END`,
  (inner) => `CASE WHEN ${inner()} THEN ${inner()} END`,
  (inner) => `iif(${inner()}, ${inner()}, ${inner()})`,
  (inner) => `coalesce(${inner()}, ${inner()})`,
  (inner) => `nullif(${inner()}, ${inner()})`,
  (inner, random) => `substr(${inner()}, ${random.whole(9) - 4}, ${random.whole(9) - 4})`,
  (inner) => `instr(${inner()}, ${inner()})`,
  (inner) => `replace(${inner()}, 'a', ${inner()})`,
  (inner) => `max(${inner()}, ${inner()})`,
  (inner) => `min(${inner()}, ${inner()})`,
  (inner, random) => `round(${inner()}, ${random.whole(6)})`,
  (inner) =>
    `format('%d|%.3f|%s|%q|%5.1e|%x', ${inner()}, ${inner()}, ${inner()}, ${inner()}, ${inner()}, ${inner()})`,
  (inner) => `(${inner()} BETWEEN ${inner()} AND ${inner()})`,
  (inner) => `(${inner()} IN (${inner()}, ${inner()}, NULL))`,
  (inner) => `(${inner()} IS DISTINCT FROM ${inner()})`,
  (inner) => `(${inner()} ISNULL)`,
  (inner, random) => `(${inner()} = ${inner()} COLLATE ${random.pick(collations)})`,
];
