/** Turns what a method threw into the error its caller gets, and what the person who runs the server is told. */

import { describeThrown, ErrorCode, WireError, type ErrorBody, type Revision } from "../protocol/index.ts";
import { MissingCapabilityError } from "./context.ts";

export interface Failure {
  readonly error: ErrorBody;
  readonly report: string | undefined;
}

/** Lets a `WireError` through as it is; of anything else the caller learns only that it happened. */
export function describeFailure(thrown: unknown, method: string, era: Revision["era"]): Failure {
  if (thrown instanceof WireError) return { error: thrown.toBody(), report: undefined };
  if (thrown instanceof MissingCapabilityError) {
    const code = era === "stateless" ? ErrorCode.MissingRequiredClientCapability : ErrorCode.InvalidParams;
    const data = { requiredCapabilities: thrown.required };
    return { error: { code, message: thrown.message, data }, report: undefined };
  }
  const error = { code: ErrorCode.InternalError, message: "Internal error" };
  return { error, report: `${method} failed: ${describeThrown(thrown)}` };
}
