/** What every method of the server needs: its shape, and how it reads parameters and writes definitions. */

import { isObject, refuseParam, type JsonObject } from "../../protocol/index.ts";
import type { Call } from "../call.ts";

/** Answers one request, now or later. Throws a `WireError` to answer with an error. */
export type Method = (call: Call) => JsonObject | Promise<JsonObject>;

/** Reads a string that a method cannot do without. Throws a `WireError` (-32602). */
export function requireString(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value === "string") return value;
  throw refuseParam(name, value, "a string");
}

/** Reads an object that a method cannot do without. Throws a `WireError` (-32602). */
export function requireObject(params: JsonObject, name: string): JsonObject {
  const value = params[name];
  if (isObject(value)) return value;
  throw refuseParam(name, value, "an object");
}

/** Leaves out the members of a definition that a revision does not know. */
export function pickMembers(definition: object, members: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(definition).filter(
      ([name, value]) => value !== undefined && members.includes(name),
    ),
  );
}
