/** Names a call and its arguments so that a repetition is known: the same members in another order are the same. */

import { hash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";

/** Gives the SHA-256 of a JSON value, whatever the order of its members. */
export function digestValue(value: unknown): string {
  return hash("sha256", canonicalJson(value), "base64url");
}

/** Gives the key under which the ledger keeps a call. */
export function keyOf(principal: string, taskId: string, tool: string, callId: string): string {
  return JSON.stringify([principal, taskId, tool, callId]);
}
