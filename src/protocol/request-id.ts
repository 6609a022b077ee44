/** A request's id. */

/** `0` and `""` are ids, and `1` and `"1"` are two. */
export type RequestId = string | number;

/** Is true for an id this protocol allows: a string, or an integer that a double holds exactly. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}
