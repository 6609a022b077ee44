/** Reads what a reader sent: a process of our own, so that its shape is trusted where its kind is right. */

import type { Reply } from "../reader/request.ts";

export function readReply(frame: unknown): Reply | undefined {
  return isReply(frame) ? frame : undefined;
}

function isReply(frame: unknown): frame is Reply {
  return typeof frame === "object" && frame !== null && "kind" in frame && kinds.has(frame.kind);
}

const kinds = new Set<unknown>([
  "ready",
  "answer",
  "schema",
  "examination",
  "changed",
  "failed",
] satisfies Reply["kind"][]);
