/** The limits of a server, each with the harm it stops. */

import { describeValue, UsageError } from "../protocol/index.ts";

/** Each is a whole number of at least 1, or `Infinity` for no limit. */
export interface Limits {
  /** Calls running at once on one connection, cancelled ones until their code ends: stops a peer from filling the memory with calls. */
  readonly maxInFlight: number;
  /**
   * Bytes of the requests running at once on one connection: stops a peer from filling the memory with a few large ones. One
   * that comes alone is taken whatever its size, up to the longest line. Over HTTP, `serveHttp` has its own.
   */
  readonly maxInFlightBytes: number;
  /** Subscriptions and listening streams on one connection: stops a peer from making every change expensive. */
  readonly maxSubscriptions: number;
  /** Items on one page of a list: stops a reply from growing without bound. */
  readonly pageSize: number;
  /** How long a question to the client may stay open: stops a call from waiting for ever. */
  readonly askTimeoutMs: number;
  /** How long an `input_required` answer may be continued: stops an old one from being replayed. */
  readonly requestStateTtlMs: number;
  /** Bytes a peer may leave unread before progress and logs are left out: stops a tool from filling the memory with them. */
  readonly maxBacklogBytes: number;
  /**
   * How long a peer may leave more unread than is sent ahead: stops one that never reads from holding the process. Over HTTP,
   * `serveHttp` has its own.
   */
  readonly stallTimeoutMs: number;
  /** How long calls may finish after the peer has closed: stops a call from keeping the process. */
  readonly drainMs: number;
}

export const defaultLimits: Limits = {
  maxInFlight: 4096,
  maxInFlightBytes: 64 * 1024 * 1024,
  maxSubscriptions: 1000,
  pageSize: 1000,
  askTimeoutMs: 10 * 60_000,
  requestStateTtlMs: 60 * 60_000,
  maxBacklogBytes: 1024 * 1024,
  stallTimeoutMs: 5 * 60_000,
  drainMs: 5000,
};

/** Fills in the defaults, also for `undefined`. Throws a `UsageError` for a limit that does not exist or cannot be. */
export function resolveLimits(chosen: Partial<Limits> = {}): Limits {
  const given = Object.entries(chosen).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(defaultLimits, name)) throw invalidLimit(name, "there is no such limit");
    if (value !== Infinity && (!Number.isSafeInteger(value) || value < 1)) {
      const expected = "expected a whole number of at least 1, or Infinity for no limit";
      throw invalidLimit(name, `it is ${describeValue(value)}, ${expected}`);
    }
  }
  return { ...defaultLimits, ...Object.fromEntries(given) };
}

function invalidLimit(name: string, what: string): UsageError {
  const hint = `one of: ${Object.keys(defaultLimits).join(", ")}`;
  return new UsageError("invalid-limit", `Cannot set the limit "${name}": ${what}`, { hint });
}
