/** The limits of serving over HTTP: each with its default and the harm it stops. */

import { describeValue, UsageError } from "../../protocol/index.ts";

export interface HttpLimits {
  /** The longest body of a request: stops a peer from filling the memory with one message. */
  readonly maxBodyBytes: number;
  /** The longest head of a request: stops a peer from filling the memory before anything can be checked. */
  readonly maxHeaderBytes: number;
  /** How long the head of a request may take to come: stops connections that send one byte a minute (slowloris). */
  readonly headersTimeoutMs: number;
  /** How long a whole request may take to come, its body too: the same for bodies. */
  readonly requestTimeoutMs: number;
  /** How long a connection may stay open between two requests: stops forgotten connections from using up the limit. */
  readonly keepAliveTimeoutMs: number;
  /** How long a peer may take none of a long answer: stops one that never reads from holding it in memory. */
  readonly stallTimeoutMs: number;
  /** Connections open at once: stops a flood from using up the process's file descriptors. */
  readonly maxConnections: number;
  /** Requests being answered at once: stops a flood from filling the memory with unanswered calls. */
  readonly maxInFlight: number;
  /** Event streams open at once: stops listeners from making every change expensive. */
  readonly maxStreams: number;
  /** `GET` streams open at once for one session: stops one client from using up `maxStreams`. */
  readonly maxStreamsPerSession: number;
  /** What a stream may hold that its peer has not taken: stops one that never reads from filling the memory. */
  readonly maxStreamBacklogBytes: number;
  /** How often a quiet stream says that it is alive, by a comment: proxies close what is silent for a minute. */
  readonly keepAliveMs: number;
  /** Sessions open at once: stops a flood of `initialize` from filling the memory. */
  readonly maxSessions: number;
  /** How long a session lives without a request: stops clients that never say goodbye from keeping theirs. */
  readonly sessionIdleMs: number;
  /** Events kept for a client that comes back to a broken stream: bounds a session's memory. */
  readonly maxStoredEvents: number;
  /** The bytes of those events: the same, where events are large. */
  readonly maxStoredBytes: number;
}

export const defaultHttpLimits: HttpLimits = {
  maxBodyBytes: 4 * 1024 * 1024,
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  stallTimeoutMs: 30_000,
  maxConnections: 4096,
  maxInFlight: 4096,
  maxStreams: 4096,
  maxStreamsPerSession: 4,
  maxStreamBacklogBytes: 1024 * 1024,
  keepAliveMs: 15_000,
  maxSessions: 1000,
  sessionIdleMs: 30 * 60_000,
  maxStoredEvents: 256,
  maxStoredBytes: 256 * 1024,
};

/** Fills in the defaults. Throws a `UsageError` for a limit that does not exist or is no positive number. */
export function completeLimits(given: Partial<HttpLimits> = {}): HttpLimits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaultHttpLimits, name)) throw invalid(name, "there is no such limit");
    if (!Number.isSafeInteger(value) || value < 1)
      throw invalid(name, `it is ${describeValue(value)}, expected a whole number above 0`);
  }
  return { ...defaultHttpLimits, ...given };
}

function invalid(name: string, what: string): UsageError {
  const hint = `one of: ${Object.keys(defaultHttpLimits).join(", ")}`;
  return new UsageError("invalid-limit", `Cannot set the limit "${name}": ${what}`, { hint });
}
