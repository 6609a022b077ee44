/** What a tool, a prompt or a resource may do while it answers: the author's view of one call. */

import type {
  ClientCapabilities,
  CreateMessageParams,
  CreateMessageResult,
  ElicitParams,
  ElicitResult,
  Implementation,
  ListRootsResult,
  LoggingLevel,
  Revision,
  TraceContext,
} from "../protocol/index.ts";

export interface Context {
  /** Aborts when the caller cancels, goes away, or the server ends. */
  readonly signal: AbortSignal;
  /** The revision the caller speaks. */
  readonly revision: Revision;
  /** Who the caller has proven to be: over HTTP with `tokens` or `auth`; else `undefined`. */
  readonly principal: string | undefined;
  /** What the caller calls itself; for display, never for a decision. */
  readonly clientInfo: Implementation | undefined;
  readonly clientCapabilities: ClientCapabilities;
  /** The span of the caller that the call belongs to, when its `_meta.traceparent` names one. */
  readonly traceContext: TraceContext | undefined;

  /**
   * Tells the caller how far the call has come, if it asked to know.
   *
   * @param progress grows from call to call; one that does not grow is not sent
   */
  readonly progress: (progress: number, total?: number, message?: string) => void;

  /** Sends a log message to the caller, if the server declares `logging` and the caller wants this level. */
  readonly log: (level: LoggingLevel, data: unknown, logger?: string) => void;

  /**
   * Asks the person behind the client, in either era.
   *
   * In the stateless era the answer comes with a second request, and the tool runs again from its start up to here: what
   * stands before the first question must be free of side effects. The client carries the answers, sealed, and may send the
   * same ones again until `requestStateTtlMs` is over: an approval is one for as many runs. Where it may be used once, do the
   * work under a key, such as the number of an order among the arguments, and remember, where all your processes see it, that
   * it has been done. The gate does that for its tools.
   *
   * @param key names the question, where questions are asked in an order that may change; default: its place in the order
   * @throws MissingCapabilityError when the client has not declared elicitation, or not this mode
   */
  readonly elicit: (params: ElicitParams, options?: AskOptions) => Promise<ElicitResult>;

  /** Asks the client's model for a completion; else as `elicit`. */
  readonly sample: (
    params: CreateMessageParams,
    options?: AskOptions,
  ) => Promise<CreateMessageResult>;

  /** Asks the client for the folders it works in; else as `elicit`. */
  readonly listRoots: (options?: AskOptions) => Promise<ListRootsResult>;
}

export interface AskOptions {
  readonly key?: string;
  /**
   * Takes an answer that came under `key` before the question was asked: a client that knows it saves a round. Only for a
   * question that never changes and approves nothing, for nobody may have read it. Speaks to the stateless era; default: false.
   */
  readonly acceptEarly?: boolean;
}
