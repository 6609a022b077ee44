/** Every code a gated call can end with: whether it may be sent again, what it means, and what a model should do next. */

export interface CodeEntry {
  /** Whether sending the same call again, with the same ids, can end otherwise. */
  readonly retryable: boolean;
  readonly meaning: string;
  /** For the model; the default hint of an envelope. */
  readonly next: string;
}

export const codes = {
  ok: {
    retryable: false,
    meaning: "The tool did its work",
    next: "Use the data",
  },
  invalid_arguments: {
    retryable: false,
    meaning: "The arguments do not fit the tool's input schema",
    next: "Mend the arguments that the message names and call again",
  },
  ids_required: {
    retryable: false,
    meaning: "A write came without task_id or call_id",
    next: "Choose one task_id for the whole task and a new call_id for each thing to be done, and call again",
  },
  conduct_refused: {
    retryable: false,
    meaning: "The operator's conduct rules forbid this call",
    next: "Do not try to get around it; do without, or tell the person what was refused",
  },
  grant_required: {
    retryable: false,
    meaning: "No grant allows this write",
    next: "Ask the person to give a grant outside of this conversation, and call again when they say so",
  },
  budget_exhausted: {
    retryable: false,
    meaning: "The task or the principal has used up a budget",
    next: "Finish with what there is, and tell the person which budget is used up",
  },
  rate_limited: {
    retryable: true,
    meaning: "The tool is called more often than its rate allows",
    next: "Wait retry_after_ms and send the same call again",
  },
  queue_full: {
    retryable: true,
    meaning: "Too many calls are waiting already; this one was not queued",
    next: "Wait retry_after_ms and send the same call again, fewer at once",
  },
  queue_wait_exceeded: {
    retryable: true,
    meaning: "The call waited for its turn until its time was up; it never began to run",
    next: "Wait retry_after_ms and send the same call again, fewer at once",
  },
  deadline_exceeded: {
    retryable: true,
    meaning: "The call ran longer than its deadline allows",
    next: "Send the same call again with the same ids: it finds the work, or begins a read anew",
  },
  still_running: {
    retryable: true,
    meaning: "The first call with these ids is still running",
    next: "Wait retry_after_ms and send the same call again with the same ids",
  },
  idempotency_conflict: {
    retryable: false,
    meaning: "These ids were used before with other arguments",
    next: "Use a new call_id for a new thing to be done, or the first arguments to learn the first result",
  },
  outcome_unknown: {
    retryable: false,
    meaning:
      "The work began and nobody knows how it ended: the process died, or the tool was stopped half-way",
    next: "Read the state of the thing to be changed before anything else; only then decide, with a new call_id",
  },
  result_expired: {
    retryable: false,
    meaning: "The call ran and its result is no longer kept",
    next: "Read the state of the thing that was changed; do not do it again",
  },
  result_too_large: {
    retryable: false,
    meaning: "The tool did its work and gave more than a result may hold",
    next: "Ask for less: a narrower filter, fewer fields, the next page",
  },
  state_unavailable: {
    retryable: true,
    meaning: "The gate cannot read or write its state, so it runs nothing that has to be recorded",
    next: "Tell the person; the reason is in the server's log",
  },
  cancelled: {
    retryable: true,
    meaning: "The caller went away before the call was over",
    next: "Send the same call again if its result is still wanted",
  },
  not_found: {
    retryable: false,
    meaning: "There is no such thing as the arguments name",
    next: "Look for the right name or id first",
  },
  refused: {
    retryable: false,
    meaning: "The system behind the tool refuses the act",
    next: "Read the message; do something else, or tell the person",
  },
  unavailable: {
    retryable: true,
    meaning: "The system behind the tool does not answer now",
    next: "Wait retry_after_ms and send the same call again",
  },
  tool_failed: {
    retryable: false,
    meaning: "The tool could not do its work, and says why",
    next: "Read the message, mend what it names and call again with a new call_id",
  },
  internal_error: {
    retryable: false,
    meaning: "The tool has a fault; what happened is in the server's log under this trace_id",
    next: "Tell the person the trace_id; for a write, read the state of the thing to be changed first",
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;

export type Code = keyof typeof codes;

/** The codes a tool may give a failure of its own: those of limits for the limits of what stands behind it. */
export const failureCodes = [
  "queue_full",
  "queue_wait_exceeded",
  "deadline_exceeded",
  "result_too_large",
  "not_found",
  "refused",
  "unavailable",
  "tool_failed",
] as const satisfies readonly Code[];

export type FailureCode = (typeof failureCodes)[number];

export function isCode(name: string): name is Code {
  return Object.hasOwn(codes, name);
}
