/** What a call is told that is not run: why, in words for the model. */

import type { Entry } from "./ledger.ts";
import type { Lane, Turn } from "./lanes.ts";
import type { GateLimits } from "./limits.ts";
import type { Ending } from "./seal.ts";
import type { StateError } from "./state-error.ts";

export const conflict: Ending = {
  code: "idempotency_conflict",
  message: "These ids belong to an earlier call of this tool with other arguments",
};

export const stillRunning: Ending = {
  code: "still_running",
  message: "The first call with these ids is still running",
  retryAfterMs: 1000,
};

export function describeTurn(
  turn: Exclude<Turn, "entered">,
  lane: Lane | undefined,
  limits: GateLimits,
): Ending {
  const place = lane === undefined ? "" : `: ${lane.limit} calls of ${lane.name} are running`;
  switch (turn) {
    case "queue full":
      return {
        code: "queue_full",
        message: `${limits.queueLength} calls are waiting (queueLength)${place}`,
        retryAfterMs: 1000,
      };
    case "waited too long":
      return {
        code: "queue_wait_exceeded",
        message: `The call waited ${limits.queueWaitMs} ms for its turn (queueWaitMs)${place}`,
        retryAfterMs: 1000,
      };
    case "gone":
      return {
        code: "cancelled",
        message: "The caller went away while the call waited for its turn",
      };
  }
}

export function describeUnknown({ begunAt }: Entry, findOut: string | undefined): Ending {
  return {
    code: "outcome_unknown",
    message: `The call began at ${new Date(begunAt).toISOString()} and it is not known how it ended`,
    hint: findOut,
  };
}

export function describeExpired(endedAt: number, findOut: string | undefined): Ending {
  return {
    code: "result_expired",
    message: `The call ended at ${new Date(endedAt).toISOString()} and its result is no longer kept (resultTtlMs)`,
    hint: findOut,
  };
}

/** What a stranger may know of a failing state: which way it fails, not where it is. */
export function describeStateError({ kind }: StateError): Ending {
  return {
    code: "state_unavailable",
    message: `The gate's state cannot be used: it is ${kind}`,
    retryAfterMs: 1000,
  };
}
