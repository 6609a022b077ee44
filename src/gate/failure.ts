/** How a tool says that it could not do its work. */

import { codes, type FailureCode } from "./codes.ts";

export interface ToolFailureOptions {
  /** For the model: what to do next; default: what the table of codes says. */
  readonly hint?: string;
  /** When it is worth trying again. */
  readonly retryAfterMs?: number;
  /**
   * "none" promises that nothing was changed: a retryable failure then frees the call's ids, and the gate may run the tool
   * again by itself. Default: "possible".
   */
  readonly effect?: "none" | "possible";
  readonly cause?: unknown;
}

/** A failure whose text is for the model; any other error becomes an `internal_error` without its text. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly code: FailureCode;
  readonly hint: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly effect: "none" | "possible";

  constructor(code: FailureCode, message: string, options: ToolFailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.retryAfterMs = options.retryAfterMs;
    this.effect = options.effect ?? "possible";
  }

  /** Whether the call may simply be made again: it can end otherwise, and nothing was changed. */
  get isHarmless(): boolean {
    return codes[this.code].retryable && this.effect === "none";
  }
}
