/** One text for one JSON value, whatever the order of its members: what is hashed, and what is compared. */

import { isObject, jsonTypeOf, UsageError } from "../protocol/index.ts";

/**
 * Writes a JSON value as RFC 8785 does: members sorted by their UTF-16 code units, no white space, the numbers and escapes of
 * ECMAScript. A lone surrogate is written as its escape, where the RFC demands an error.
 *
 * A member that is `undefined` is left out. Throws a `UsageError` for anything else that JSON does not have.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8785
 */
export function canonicalJson(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(",")}]`;
  if (isObject(value)) return writeObject(value);
  const found = typeof value === "number" ? String(value) : `a value of type ${jsonTypeOf(value)}`;
  throw new UsageError(
    "not-json",
    `Cannot write "${found}" as JSON: it has no place there, expected a JSON value`,
  );
}

function writeObject(object: { readonly [key: string]: unknown }): string {
  let members = "";
  for (const name of Object.keys(object).toSorted()) {
    const value = object[name];
    if (value === undefined) continue;
    members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${canonicalJson(value)}`;
  }
  return `{${members}}`;
}
