/** What leaves as a reply: a result with what its era wants on it, or the error a caller may see. */

import {
  describeThrown,
  ErrorCode,
  MetaKey,
  WireError,
  type ErrorBody,
  type JsonObject,
  type Revision,
} from "../protocol/index.ts";
import type { Call } from "./call.ts";
import { MissingCapabilityError } from "./author-error.ts";

/** Adds `resultType` and the server's name in the stateless era; gives a handshake-era result as it is. */
export function sealResult(result: JsonObject, { revision, catalogue }: Call): JsonObject {
  if (revision.era === "handshake") return result;
  const { _meta, resultType = "complete" } = result;
  const server = { [MetaKey.serverInfo]: catalogue.info };
  // The spread stands first: V8 copies an object quickly into an empty one, and slowly behind other members.
  return {
    ...result,
    resultType,
    _meta: typeof _meta === "object" ? { ..._meta, ...server } : server,
  };
}

export interface Failure {
  readonly error: ErrorBody;
  readonly report: string | undefined;
}

/** Lets a `WireError` through as it is; of anything else the caller learns only that it happened. */
export function describeFailure(thrown: unknown, method: string, era: Revision["era"]): Failure {
  if (thrown instanceof WireError) return { error: thrown.toBody(), report: undefined };
  if (thrown instanceof MissingCapabilityError) {
    const code =
      era === "stateless" ? ErrorCode.MissingRequiredClientCapability : ErrorCode.InvalidParams;
    const data = { requiredCapabilities: thrown.required };
    return { error: { code, message: thrown.message, data }, report: undefined };
  }
  return { error: internalError, report: `${method} failed: ${describeThrown(thrown)}` };
}

/** All that a caller learns of a fault on this side. */
export const internalError: ErrorBody = {
  code: ErrorCode.InternalError,
  message: "Internal error",
};
