/** Tells replies by their kind: they come from processes of our own and of one version, so nothing more is looked at. */

import type { Reply } from "../reader/request.ts";
import type { ScoutReply } from "../scout/request.ts";

export function isReaderReply(frame: unknown): frame is Reply {
  return hasKind(frame, readerKinds);
}

export function isScoutReply(frame: unknown): frame is ScoutReply {
  return hasKind(frame, scoutKinds);
}

const readerKinds: ReadonlySet<unknown> = new Set<Reply["kind"]>([
  "ready",
  "answer",
  "schema",
  "examination",
  "changed",
  "failed",
]);

const scoutKinds: ReadonlySet<unknown> = new Set<ScoutReply["kind"]>([
  "ready",
  "found",
  "refused",
  "failed",
]);

function hasKind(frame: unknown, kinds: ReadonlySet<unknown>): boolean {
  return typeof frame === "object" && frame !== null && "kind" in frame && kinds.has(frame.kind);
}
