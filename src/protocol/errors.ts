/** The error codes of MCP, and the two errors Genkan throws: `WireError` for the peer, `UsageError` for the person who called. */

import type { ErrorBody } from "./json-rpc.ts";
import { describeValue } from "./json.ts";

/**
 * Every error code that a message of MCP can carry, by its name in the specification.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/index#error-codes
 */
export const ErrorCode = {
  /** The line is not JSON (JSON-RPC 2.0, section 5.1). */
  ParseError: -32700,
  /** JSON, but not a request object (JSON-RPC 2.0, section 5.1). */
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  /** Up to 2025-11-25; 2026-07-28 replaced it by `InvalidParams` and forbids it. */
  ResourceNotFound: -32002,
  /** 2025-11-25 only; 2026-07-28 forbids it. */
  UrlElicitationRequired: -32042,
  /** Since 2026-07-28: HTTP headers and body disagree. */
  HeaderMismatch: -32020,
  /** Since 2026-07-28: `data.requiredCapabilities` says what the client must declare. */
  MissingRequiredClientCapability: -32021,
  /** Since 2026-07-28: `data.supported` lists what the server speaks. */
  UnsupportedProtocolVersion: -32022,
} as const;

const names = new Map<number, string>(
  Object.entries(ErrorCode).map(([name, code]) => [code, name]),
);

/** Names an error code as the specification does, or gives `undefined` for one it does not define. */
export function nameOfErrorCode(code: number): string | undefined {
  return names.get(code);
}

/**
 * A reply to a peer: a numeric code and a text fit for a stranger.
 *
 * Whoever throws it decides every word that leaves the process; an inner error belongs in `cause`, which is never sent.
 */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly code: number;
  readonly data: unknown;

  constructor(
    code: number,
    message: string,
    options: { readonly data?: unknown; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }

  /** Gives the `error` member of the reply. */
  toBody(): ErrorBody {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** Makes the refusal of what a caller sent (-32602). */
export function refuseParams(message: string, data?: unknown): WireError {
  return new WireError(ErrorCode.InvalidParams, message, { data });
}

/** Makes the refusal of one parameter: what it is, and what it should be. */
export function refuseParam(name: string, value: unknown, expected: string): WireError {
  return refuseParams(`"${name}" is ${describeValue(value)}, expected ${expected}`);
}

/** A mistake of the calling code: `code` is stable, `hint` is something to type. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code: string;
  readonly hint: string | undefined;

  constructor(
    code: string,
    message: string,
    options: { readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** Shows an unknown thrown value to a person on this side, with its stack; never to a peer. */
export function describeThrown(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return `a thrown ${typeof thrown}: ${String(thrown)}`;
    const { stack }: { readonly stack?: unknown } = thrown; // whoever made the error may have put anything there
    return typeof stack === "string" ? stack : `${thrown.name}: ${thrown.message}`;
  } catch {
    return `a thrown ${typeof thrown} that has no text`; // its own members throw, or it has no toString()
  }
}
