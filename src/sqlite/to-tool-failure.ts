/** Gives what a tool says of a query that has no answer; apart from the error itself, which processes without a gate need. */

import { ToolFailure } from "../gate/index.ts";
import { queryFailures, type QueryError } from "./query-error.ts";

/** A read changes nothing, so the same call may be made again. */
export function toToolFailure(error: QueryError): ToolFailure {
  return new ToolFailure(queryFailures[error.kind], error.message, {
    effect: "none",
    cause: error,
    ...(error.hint !== undefined && { hint: error.hint }),
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
  });
}
