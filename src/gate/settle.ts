/** Ends a piece of work: its outcome is sealed, stored and recorded, or its ids are free again because it did nothing. */

import { describeThrown } from "../protocol/index.ts";
import { ToolError } from "../server/index.ts";
import { codes } from "./codes.ts";
import { countEnd, record, requireState, type Core } from "./core.ts";
import { ToolFailure } from "./failure.ts";
import type { CallFacts, Outcome } from "./feature.ts";
import type { Sealed } from "./ledger.ts";
import type { Finish } from "./run-tool.ts";
import type { RunningCall } from "./running-call.ts";
import { sealEnvelope, toOutcome, toRefusal, type Ending } from "./seal.ts";
import { StateError } from "./state-error.ts";
import type { WorkRequest } from "./work.ts";

export interface Settled {
  readonly sealed: Sealed;
  /** Stores the outcome, when it could not be stored; throws when it still cannot. */
  readonly save: (() => void) | undefined;
}

/** @param isKept whether the call is in the ledger; a read may run without one */
export function settle(
  core: Core,
  request: WorkRequest,
  call: RunningCall,
  finish: Finish,
  grant: string | undefined,
  isKept: boolean,
): Settled {
  const { facts, key, tool } = request;
  const thrown = "thrown" in finish ? finish.thrown : undefined;
  const end = judgeEnd(finish, call);
  const raw =
    end === "unknown" ? toRefusal(facts, stoppedHalfWay(tool.findOut)) : toOutcome(finish, call);
  const { envelope, bytes } = sealEnvelope(raw, facts, core.hooks, tool.limits.resultBytes);
  countEnd(core, facts, envelope.duration_ms, bytes);
  if (envelope.code === "internal_error") core.report(describeFault(facts, thrown));
  const sealed = { envelope, links: call.links };
  if (!isKept) return { sealed, save: undefined };
  const outcome: Outcome = { facts, at: core.now(), grant, envelope, steps: call.steps, thrown };
  const save = (): void => {
    const { store, ledger, grants } = requireState(core);
    store.transact(() => {
      if (end === "done") ledger.settle(key, sealed);
      else if (end === "unknown") ledger.settleUnknown(key);
      else ledger.free(key);
      if (end === "nothing" && grant !== undefined) grants.giveBack(grant);
      record(core, undefined, outcome);
    });
  };
  try {
    save();
    return { sealed, save: undefined };
  } catch (failure) {
    if (!(failure instanceof StateError)) throw failure;
    core.noteTrouble(failure);
    const warnings = [...envelope.warnings, unsavedText];
    return { sealed: { ...sealed, envelope: { ...envelope, warnings } }, save };
  }
}

/** "nothing" frees the ids: the call can end otherwise and changed nothing. "unknown": a write was stopped and does not say what it did. */
function judgeEnd(finish: Finish, call: RunningCall): "done" | "nothing" | "unknown" {
  if (!("thrown" in finish)) return "done";
  const { thrown } = finish;
  const isTold = thrown instanceof ToolFailure || thrown instanceof ToolError;
  if (thrown instanceof ToolFailure && thrown.isHarmless) return "nothing";
  if (call.facts.risk === "write") return call.isStopped && !isTold ? "unknown" : "done";
  return call.isStopped || (thrown instanceof ToolFailure && codes[thrown.code].retryable)
    ? "nothing"
    : "done";
}

function stoppedHalfWay(findOut: string | undefined): Ending {
  return {
    code: "outcome_unknown",
    message: "The tool was stopped at its deadline and did not say what it had done",
    hint: findOut,
  };
}

/** Gives the text for the server's log; the caller learns no more than the trace id. */
export function describeFault({ tool, traceId }: CallFacts, thrown: unknown): string {
  return `${tool} failed (trace_id ${traceId}): ${describeThrown(thrown)}`;
}

const unsavedText =
  "This outcome could not be stored yet: do not send the call again if this server is restarted; read the state of the thing instead";
