/** Checks a stateless request before its receiver sees it: what HTTP demands beside what the protocol does. */

import {
  findRevision,
  parseCallerMeta,
  protocolVersionOf,
  WireError,
  type RequestMessage,
} from "../../protocol/index.ts";
import type { Exchange } from "./exchange.ts";
import { refuseBy, type Refusal } from "./refusal.ts";
import { versionMissing } from "./refusals.ts";
import { checkRequestHeaders, type FindInputSchema } from "./request-headers.ts";

/** Gives why a request is refused: with 400, also where the same error of a method would be told in the body alone. */
export function checkStateless(
  exchange: Exchange,
  request: RequestMessage,
  findInputSchema: FindInputSchema,
): Refusal | undefined {
  const version = protocolVersionOf(request.params);
  try {
    if (version === undefined) parseCallerMeta(request.params);
    if (version === undefined) return versionMissing;
    checkRequestHeaders(exchange, request, findInputSchema);
    if (findRevision(version)?.era === "stateless") parseCallerMeta(request.params);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof WireError) return refuseBy(thrown);
    throw thrown;
  }
}
