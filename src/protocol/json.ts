/** JSON values as types, and the guards that turn `unknown` into them. */

import { escapeJson } from "./terminal-text.ts";

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object whose members are not yet known. */
export interface JsonObject {
  readonly [key: string]: unknown;
}

/** Is true for a JSON object: not `null`, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Is true when every element is a string. */
export function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}

/** Makes an object out of names that a peer chose: it inherits nothing, so that `constructor` is there only if it was sent. */
export function createRecord<Value>(entries: Iterable<readonly [string, Value]>): {
  [name: string]: Value;
} {
  const record = Object.fromEntries(entries);
  Object.setPrototypeOf(record, null);
  return record;
}

/** Names the JSON type of a value, for error texts: `null`, `array`, `object`, `string`, `number`, `boolean`. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** Shows a value in an error text, safe for a terminal: its type, and its value where that is short. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "absent";
  const type = jsonTypeOf(value);
  if (type === "object" || type === "null") return type === "null" ? "null" : "an object";
  if (type === "array") return "an array";
  if (typeof value === "string") {
    return value.length > shownLength
      ? `a string of ${value.length} characters`
      : `the string ${escapeJson(JSON.stringify(value))}`;
  }
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return `the ${type} ${value}`; // NaN, Infinity and 1n have no JSON
  return `a ${type}`;
}

const shownLength = 40;
