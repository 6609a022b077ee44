/** The limits of a server, each with the harm it stops. */

export interface Limits {
  /** Calls running at once on one connection, cancelled ones until their code ends: stops a peer from filling the memory with calls. */
  readonly maxInFlight: number;
  /** Subscriptions and listening streams on one connection: stops a peer from making every change expensive. */
  readonly maxSubscriptions: number;
  /** Items on one page of a list: stops a reply from growing without bound. */
  readonly pageSize: number;
  /** How long a question to the client may stay open: stops a call from waiting for ever. */
  readonly askTimeoutMs: number;
  /** How long an `input_required` answer may be continued: stops an old one from being replayed. */
  readonly requestStateTtlMs: number;
  /** How long calls may finish after the peer has closed: stops a call from keeping the process. */
  readonly drainMs: number;
}

export const defaultLimits: Limits = {
  maxInFlight: 4096,
  maxSubscriptions: 1000,
  pageSize: 1000,
  askTimeoutMs: 10 * 60_000,
  requestStateTtlMs: 60 * 60_000,
  drainMs: 5000,
};
