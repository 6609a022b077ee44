/** Runs a call that failed once more, through the same gate or another, and compares. */

import { randomBytes } from "node:crypto";
import { UsageError, type JsonObject } from "../protocol/index.ts";
import type { Envelope } from "./envelope.ts";
import type { Trace } from "./trace.ts";
import type { TraceBook } from "./trace-book.ts";
import { compareTraces, type TraceComparison } from "./trace-compare.ts";

/** Calls a tool as the first caller did. */
export interface ReplayCall {
  readonly tool: string;
  /** With `task_id` and a new `call_id` where the first call had them; secrets are still references. */
  readonly args: JsonObject;
  readonly principal: string;
}

export interface ReplayOptions {
  /** The traces of the gate that the call failed at. */
  readonly traces: TraceBook;
  readonly call: (call: ReplayCall) => Promise<Envelope>;
  /** The traces of the gate that `call` goes to; default: the same. */
  readonly again?: TraceBook;
}

export interface Replay {
  readonly envelope: Envelope;
  readonly comparison: TraceComparison;
}

/**
 * Replays the call of this trace id, or the newest one of this call id. It is a new call: a write needs a grant again, and the
 * ledger does not take it for the first one.
 *
 * Rejects with a `UsageError` for a call that is not known, did not fail, or whose arguments are not kept.
 */
export async function replayTrace(
  traceOrCallId: string,
  { traces, call, again = traces }: ReplayOptions,
): Promise<Replay> {
  const before = traces.find(traceOrCallId);
  if (before === undefined)
    throw cannotReplay(traceOrCallId, "there is no trace of it", "expected one of `genkan trace`");
  const args = readReplayArgs(before);
  const ids = {
    ...(before.taskId !== undefined && { task_id: before.taskId }),
    ...(before.callId !== undefined && { call_id: `replay-${randomBytes(8).toString("hex")}` }),
  };
  const { tool, principal } = before;
  const envelope = await call({ tool, args: { ...args, ...ids }, principal });
  const after = again.find(envelope.trace_id);
  if (after === undefined)
    throw cannotReplay(
      traceOrCallId,
      "its second run left no trace",
      "expected the gate to have the feature that keeps them",
    );
  return { envelope, comparison: compareTraces(before, after) };
}

function readReplayArgs({ traceId, code, args }: Trace): JsonObject {
  if (code === undefined)
    throw cannotReplay(traceId, "it has not ended", "expected a call that failed");
  if (code === "ok")
    throw cannotReplay(
      traceId,
      "it did not fail, so its arguments are not kept",
      "expected a call that failed",
    );
  if (args !== undefined) return args;
  throw cannotReplay(
    traceId,
    "its arguments are not kept",
    "expected arguments no larger than argsBytes",
  );
}

function cannotReplay(id: string, what: string, expected: string): UsageError {
  return new UsageError(
    "cannot-replay",
    `Cannot replay "${id.slice(0, 100)}": ${what}, ${expected}`,
    { hint: "genkan trace --failed" },
  );
}
