/** Reads who asks: by the request's own `_meta`, or by the session that `initialize` opened. */

import {
  describeValue,
  ErrorCode,
  findRevision,
  latestHandshake,
  MetaKey,
  parseCallerMeta,
  protocolVersionOf,
  refuseParams,
  versionsOf,
  WireError,
  type RequestMessage,
} from "../protocol/index.ts";
import type { Caller } from "./caller.ts";
import { isClientRequest, methodNotFound } from "./methods/methods.ts";

/**
 * Gives the caller of a request. Throws the `WireError` that the caller's era has for a request of nobody.
 *
 * @param handshake what `initialize` agreed on, if it has been
 */
export function identifyCaller(request: RequestMessage, handshake: Caller | undefined): Caller {
  const version = protocolVersionOf(request.params);
  if (version !== undefined) return identifyStateless(request, version);
  if (handshake !== undefined) return handshake;
  if (request.method === "initialize" || request.method === "ping") return beforeHandshake;
  if (!isClientRequest(request.method)) throw methodNotFound(request.method);
  throw refuseParams(
    `"${request.method}" names no protocol version in its _meta, and no "initialize" came before it`,
    { supported: versionsOf() },
  );
}

function identifyStateless(request: RequestMessage, version: unknown): Caller {
  const revision = findRevision(version);
  if (revision?.era === "stateless") return { revision, ...parseCallerMeta(request.params) };
  if (typeof version !== "string") {
    const what = `_meta "${MetaKey.protocolVersion}" is ${describeValue(version)}, expected a string`;
    throw refuseParams(what);
  }
  throw new WireError(ErrorCode.UnsupportedProtocolVersion, "Unsupported protocol version", {
    data: { supported: versionsOf("stateless"), requested: version }, // to retry with; initialize must not follow it
  });
}

/** What may be asked before `initialize` has agreed on a revision. */
const beforeHandshake: Caller = {
  revision: latestHandshake,
  capabilities: {},
  clientInfo: undefined,
  logLevel: undefined,
};
