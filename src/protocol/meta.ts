/** The reserved `_meta` keys, and what a stateless request says of its caller. */

import type { ClientCapabilities, Implementation } from "./capabilities.ts";
import { refuseParam, refuseParams, type WireError } from "./errors.ts";
import { describeValue, isObject, type JsonObject } from "./json.ts";
import { isLoggingLevel, loggingLevels, type LoggingLevel } from "./logging.ts";
import type { RequestId } from "./json-rpc.ts";
import { isRequestId } from "./message.ts";

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta */
export const MetaKey = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
  progressToken: "progressToken",
  traceparent: "traceparent",
  tracestate: "tracestate",
} as const;

/** What a caller says of itself: in `initialize` once, or in `_meta` with every request. */
export interface CallerInfo {
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: Implementation | undefined;
  readonly logLevel: LoggingLevel | undefined;
}

/** Gives the version a request names in its `_meta`, or `undefined`: then it belongs to the handshake era. */
export function protocolVersionOf(params: JsonObject | undefined): unknown {
  const meta = params?.["_meta"];
  return isObject(meta) ? meta[MetaKey.protocolVersion] : undefined;
}

/** Gives the progress token of a request, when it asked for progress. */
export function progressTokenOf(params: JsonObject | undefined): RequestId | undefined {
  const meta = params?.["_meta"];
  const token = isObject(meta) ? meta[MetaKey.progressToken] : undefined;
  return isRequestId(token) ? token : undefined;
}

/** The span of the caller that a request belongs to, in the W3C's words. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
  readonly state: string | undefined;
}

/** As long as the W3C asks everybody to pass on: stops a caller from filling a trace with its own words. */
const maxTraceState = 512;

/**
 * Gives the trace context of a request, when it has one; a malformed one is none.
 *
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function traceContextOf(params: JsonObject | undefined): TraceContext | undefined {
  const meta = params?.["_meta"];
  if (!isObject(meta)) return undefined;
  const parent = meta[MetaKey.traceparent];
  const parts = typeof parent === "string" ? traceparent.exec(parent) : null;
  if (parts === null) return undefined;
  const [, traceId = "", spanId = "", flags = ""] = parts;
  const state = meta[MetaKey.tracestate];
  const isKept = typeof state === "string" && state.length <= maxTraceState;
  return { traceId, spanId, flags: Number.parseInt(flags, 16), state: isKept ? state : undefined };
}

/** Of version 00, or of a later one, which may say more; ids are not all zeros. */
const traceparent =
  /^(?!ff|00-.{53})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** Reads what a stateless request says of its caller. Throws the `WireError` (-32602) that the specification demands. */
export function parseCallerMeta(params: JsonObject | undefined): CallerInfo {
  const meta = params?.["_meta"];
  if (!isObject(meta)) throw refuseParam("_meta", meta, "an object");
  const capabilities = meta[MetaKey.clientCapabilities];
  if (!isObject(capabilities)) {
    throw refuseMeta(
      MetaKey.clientCapabilities,
      capabilities,
      "an object ({} when there are none)",
    );
  }
  const clientInfo = meta[MetaKey.clientInfo];
  if (clientInfo !== undefined && !isImplementation(clientInfo)) {
    throw refuseMeta(MetaKey.clientInfo, clientInfo, `an object with "name" and "version"`);
  }
  const logLevel = meta[MetaKey.logLevel];
  if (logLevel !== undefined && !isLoggingLevel(logLevel)) {
    throw refuseMeta(MetaKey.logLevel, logLevel, `one of ${loggingLevels.join(", ")}`);
  }
  return { capabilities, clientInfo, logLevel };
}

/** Is true for an object with a string `name` and `version`. */
export function isImplementation(value: unknown): value is Implementation & JsonObject {
  return (
    isObject(value) && typeof value["name"] === "string" && typeof value["version"] === "string"
  );
}

function refuseMeta(key: string, value: unknown, expected: string): WireError {
  return refuseParams(`_meta "${key}" is ${describeValue(value)}, expected ${expected}`);
}
