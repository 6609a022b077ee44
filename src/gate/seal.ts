/** Makes the one shape of every result: from how a call ended to the envelope that is kept and sent. */

import type { CallToolResult, ContentBlock } from "../protocol/index.ts";
import { ToolError, ToolResult } from "../server/index.ts";
import { codes, type Code } from "./codes.ts";
import type { Envelope, StepPlace } from "./envelope.ts";
import { ToolFailure } from "./failure.ts";
import type { CallFacts, Hooks } from "./feature.ts";
import type { Sealed } from "./ledger.ts";
import type { Finish } from "./run-tool.ts";
import type { RunningCall } from "./running-call.ts";
import { StateError } from "./state-error.ts";

/** What a refusal, or a failure, says beside its code. */
export interface Ending {
  readonly code: Code;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly retryable?: boolean;
}

/** Makes the envelope of a call that was not run. */
export function toRefusal(facts: CallFacts, ending: Ending): Envelope {
  return toEnvelope(facts, ending, {
    attempts: 0,
    data: null,
    warnings: [],
    durationMs: 0,
    step: undefined,
  });
}

/** Makes the envelope of a call that was run. */
export function toOutcome(finish: Finish, call: RunningCall): Envelope {
  const durationMs = Math.round((performance.now() - call.startedAt) * 1000) / 1000;
  const { attempt: attempts, warnings } = call;
  if ("value" in finish) {
    const ending = { code: "ok", message: "", hint: "" } as const;
    return toEnvelope(call.facts, ending, {
      attempts,
      data: finish.value,
      warnings,
      durationMs,
      step: undefined,
    });
  }
  const ending = describeFailure(finish.thrown, call);
  return toEnvelope(call.facts, ending, {
    attempts,
    data: null,
    warnings,
    durationMs,
    step: call.stoppedAt,
  });
}

/** Makes the envelope of a call whose deadline is over while its tool goes on. */
export function toLate(call: RunningCall, deadlineMs: number): Envelope {
  const message = `The call ran longer than ${deadlineMs} ms (deadlineMs)`;
  const envelope = toRefusal(call.facts, {
    code: "deadline_exceeded",
    message,
    retryAfterMs: 1000,
  });
  const step = call.stoppedAt;
  return {
    ...envelope,
    attempts: call.attempt,
    duration_ms: deadlineMs,
    ...(step !== undefined && { step }),
  };
}

function describeFailure(thrown: unknown, call: RunningCall): Ending {
  if (thrown instanceof ToolFailure) {
    const { code, message, hint, retryAfterMs, isHarmless } = thrown;
    const retryable = call.facts.risk === "read" ? codes[code].retryable : isHarmless; // a write that may have done something is not sent again
    return { code, message, hint, retryAfterMs, retryable };
  }
  if (thrown instanceof ToolError) return { code: "tool_failed", message: thrown.message };
  if (thrown instanceof StateError)
    return { code: "state_unavailable", message: "The gate's state cannot be used" };
  return { code: "internal_error", message: "The tool has a fault" };
}

interface Body {
  readonly attempts: number;
  readonly data: unknown;
  readonly warnings: readonly string[];
  readonly durationMs: number;
  readonly step: StepPlace | undefined;
}

function toEnvelope(facts: CallFacts, ending: Ending, body: Body): Envelope {
  const entry = codes[ending.code];
  return {
    ok: ending.code === "ok",
    code: ending.code,
    retryable: ending.retryable ?? entry.retryable,
    attempts: body.attempts,
    message: ending.message,
    hint: ending.hint ?? entry.next,
    data: body.data,
    warnings: body.warnings,
    ...(body.step !== undefined && { step: body.step }),
    replayed: false,
    task_id: facts.taskId ?? null,
    call_id: facts.callId ?? null,
    trace_id: facts.traceId,
    ...(ending.retryAfterMs !== undefined && { retry_after_ms: ending.retryAfterMs }),
    duration_ms: body.durationMs,
  };
}

/** Lets every feature change the envelope; then it must fit its bound, or its data stays here. */
export function sealEnvelope(
  envelope: Envelope,
  facts: CallFacts,
  hooks: readonly Hooks[],
  maxBytes: number,
): { readonly envelope: Envelope; readonly bytes: number } {
  let sealed = envelope;
  for (const hook of hooks) if (hook.seal !== undefined) sealed = hook.seal(sealed, facts);
  const bytes = sizeOf(sealed);
  if (bytes <= maxBytes) return { envelope: sealed, bytes };
  const cut = {
    ...toRefusal(facts, {
      code: "result_too_large",
      message: `The result has ${bytes} bytes, and may have ${maxBytes} (resultBytes)`,
    }),
    attempts: sealed.attempts,
    duration_ms: sealed.duration_ms,
  };
  return { envelope: cut, bytes: sizeOf(cut) };
}

function sizeOf(envelope: Envelope): number {
  return Buffer.byteLength(JSON.stringify(envelope));
}

/** Makes the result of `tools/call`: the envelope as structured content, the same as a short text, and the artifacts as links. */
export function toToolResult({ envelope, links }: Sealed): ToolResult {
  const content: ContentBlock[] = [
    { type: "text", text: JSON.stringify(shorten(envelope)) },
    ...links,
  ];
  const result: Omit<CallToolResult, "content"> = {
    structuredContent: envelope,
    isError: !envelope.ok,
  };
  return new ToolResult(content, result);
}

/** Leaves out of the text what says nothing: a model pays for every word. */
function shorten(envelope: Envelope): object {
  const { ok, code, data, warnings, replayed } = envelope;
  const short = {
    ok,
    code,
    data,
    ...(warnings.length > 0 && { warnings }),
    ...(replayed && { replayed }),
  };
  if (ok) return short;
  const { retryable, message, hint, step, task_id, call_id, trace_id, retry_after_ms } = envelope;
  return { ...short, retryable, message, hint, step, task_id, call_id, trace_id, retry_after_ms };
}
