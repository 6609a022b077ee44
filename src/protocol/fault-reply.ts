/** The reply to a line that could not be read. */

import { faultCatalogue, type Fault } from "./fault.ts";
import type { ErrorMessage } from "./message.ts";

/**
 * Gives the reply that a server owes for a fault, or `undefined` where none is due.
 *
 * An id that could not be read is `null`, as JSON-RPC 2.0 section 5 says; `"omitted"` leaves the member out, as MCP 2026-07-28 does.
 */
export function replyToFault(fault: Fault, unreadableId: "null" | "omitted"): ErrorMessage | undefined {
  const { code } = faultCatalogue[fault.name];
  if (code === undefined || fault.from === "notification" || fault.from === "reply") return undefined;
  const id = fault.id ?? (unreadableId === "null" ? null : undefined);
  return { kind: "error", id, error: { code, message: `Cannot read the line: ${fault.detail}` } };
}
