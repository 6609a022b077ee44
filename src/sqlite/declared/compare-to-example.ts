/** Holds the envelope that a call gave against what its example expects. */

import { expectOneOf, isObject, type JsonObject } from "../../protocol/index.ts";
import type { Expectation } from "./declaration.ts";

/** Gives `<what is>, expected <what should be>` for each difference. */
export function compareToExample(expect: Expectation, envelope: JsonObject): readonly string[] {
  const { rows, count, columns, code = "ok" } = expect;
  if (envelope["code"] !== code) {
    const { message } = envelope;
    const why = typeof message === "string" && message !== "" ? `: ${message}` : "";
    return [`it ended with ${show(envelope["code"])}${why}, expected ${show(code)}`];
  }
  const data = isObject(envelope["data"]) ? envelope["data"] : {};
  const items = Array.isArray(data["items"]) ? data["items"].filter(isObject) : [];
  return [
    ...(columns === undefined || isEqual(columns, data["columns"])
      ? []
      : [`its columns are ${show(data["columns"])}, expected ${show(columns)}`]),
    ...(count === undefined || count === items.length
      ? []
      : [`it gave ${countRows(items.length)}, expected ${count}`]),
    ...(rows === undefined ? [] : compareRows(items, rows)),
  ];
}

/** The first difference tells the most. */
function compareRows(items: readonly JsonObject[], rows: readonly JsonObject[]): readonly string[] {
  for (const [index, expected] of rows.entries()) {
    const item = items[index];
    if (item === undefined) break;
    for (const [name, value] of Object.entries(expected)) {
      if (!Object.hasOwn(item, name))
        return [
          `its row ${index + 1} has no column "${name}", ${expectOneOf(name, Object.keys(item))}`,
        ];
      if (!isEqual(item[name], value))
        return [
          `its row ${index + 1} has the "${name}" ${show(item[name])}, expected ${show(value)}`,
        ];
    }
  }
  return items.length === rows.length
    ? []
    : [
        `it gave ${countRows(items.length)}, expected ${rows.length}: ${show(items[rows.length] ?? rows[items.length])} is ${items.length > rows.length ? "one too many" : "missing"}`,
      ];
}

function countRows(count: number): string {
  return count === 1 ? "1 row" : `${count} rows`;
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => isEqual(each, b[index]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  );
}

/** A long value is told by its beginning. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

const maxShown = 200;
