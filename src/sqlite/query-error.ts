/** Why a query has no answer. */

import type { FailureCode } from "../gate/index.ts";

export interface QueryErrorOptions {
  readonly hint?: string;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The text is fit for a stranger: it holds nothing that stands in the database. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  readonly kind: QueryFailure;
  readonly hint: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(kind: QueryFailure, message: string, options: QueryErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.hint = options.hint;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Every way in which a query fails, and the code of the call it belongs to. */
export const queryFailures = {
  /** It ran longer than its deadline; its process was killed. */
  "too-slow": "deadline_exceeded",
  /** It never began: too many were waiting already. */
  "queue-full": "queue_full",
  /** It never began: no reader was free in time. */
  "queue-wait": "queue_wait_exceeded",
  /** Whoever asked has gone away; its process was killed. */
  cancelled: "unavailable",
  /** One value is larger than `cellBytes`. */
  "cell-too-large": "result_too_large",
  /** SQLite refuses the statement, or a layer does: the schema has changed, or the statement was never right. */
  refused: "tool_failed",
  /** The file is gone, is no database any more, or needs its writer to recover it. */
  "database-unavailable": "unavailable",
  /** What stands in the file contradicts itself: nothing that a caller does mends it. */
  "database-damaged": "tool_failed",
  /** The file changes faster than it can be read. */
  busy: "unavailable",
  /** The reading process died: of memory, or of a limit of the operating system. */
  "reader-died": "tool_failed",
} as const satisfies Readonly<Record<string, FailureCode>>;

export type QueryFailure = keyof typeof queryFailures;
