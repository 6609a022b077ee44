/** A method of the server: what it is given, and what it gives. */

import { describeValue, ErrorCode, WireError, type JsonObject } from "../../protocol/index.ts";
import type { Call } from "../call.ts";

/** Answers one request, now or later. Throws a `WireError` to answer with an error. */
export type Method = (call: Call) => JsonObject | Promise<JsonObject>;

/** Reads a string that a method cannot do without. Throws a `WireError` (-32602). */
export function requireString(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value === "string") return value;
  throw new WireError(ErrorCode.InvalidParams, `"${name}" is ${describeValue(value)}, expected a string`);
}
