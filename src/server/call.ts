/** One request while it is answered; authors see it as their `Context`. */

import {
  describeThrown,
  isAtLeast,
  progressTokenOf,
  traceContextOf,
  type ClientCapabilities,
  type Implementation,
  type JsonObject,
  type LoggingLevel,
  type RequestId,
  type RequestMessage,
  type Revision,
  type TraceContext,
} from "../protocol/index.ts";
import { AskError } from "./author-error.ts";
import type { Caller } from "./caller.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Context } from "./context.ts";
import type { Peer } from "./peer.ts";

/** How a call asks its client: by requests of its own, or by its result. */
export type Questions = Pick<Context, "elicit" | "sample" | "listRoots">;

/** Open questions that end a stateless call: its result is then what asks them. */
export interface Interruption {
  readonly hasOpenQuestions: boolean;
  toResult(): Promise<JsonObject>;
}

export class Call implements Context {
  readonly peer: Peer;
  readonly catalogue: Catalogue;
  request: RequestMessage;
  caller: Caller;
  /** Set by the methods that may ask the client: makes the way of asking, which few calls need. */
  createQuestions: ((call: Call) => Questions) | undefined;
  /** What has been asked in the stateless era, once something has. */
  interruption: Interruption | undefined;
  #questions: Questions | undefined;
  #abort: AbortController | undefined;
  #abortReason: Error | undefined;
  #isOver = false;
  #lastProgress = -Infinity;

  constructor(peer: Peer, catalogue: Catalogue, request: RequestMessage, caller: Caller) {
    this.peer = peer;
    this.catalogue = catalogue;
    this.request = request;
    this.caller = caller;
  }

  get id(): RequestId {
    return this.request.id;
  }

  get params(): JsonObject {
    return this.request.params ?? noParams;
  }

  get revision(): Revision {
    return this.caller.revision;
  }

  get principal(): string | undefined {
    return this.peer.principal;
  }

  get clientInfo(): Implementation | undefined {
    return this.caller.clientInfo;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.caller.capabilities;
  }

  get traceContext(): TraceContext | undefined {
    return traceContextOf(this.request.params);
  }

  /** Made only when asked for: most calls are over before anything could cancel them. */
  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#abortReason !== undefined) this.#abort.abort(this.#abortReason);
    }
    return this.#abort.signal;
  }

  /** Whether nothing more may be sent about this call. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Lets go of what the request brought, once it has been read: a call that stays open for hours must not keep it. */
  dropParams(): void {
    const { id, method } = this.request;
    const { revision, logLevel } = this.caller;
    const bytes = typeof id === "string" ? id.length : 0;
    this.request = { kind: "request", id, method, params: undefined, bytes };
    this.caller = { revision, logLevel, capabilities: {}, clientInfo: undefined };
  }

  /** Ends the call: its reply has been sent. */
  end(): void {
    this.#isOver = true;
  }

  /** Ends the call without a reply, and tells the author's code. */
  cancel(reason: Error): void {
    this.#isOver = true;
    this.#abortReason = reason;
    this.#abort?.abort(reason);
  }

  // An author may take a context apart: `run: (args, { progress, elicit }) => …`. So each of these gives a bound function.

  get progress(): Context["progress"] {
    return this.#progress.bind(this);
  }

  get log(): Context["log"] {
    return this.#log.bind(this);
  }

  get elicit(): Context["elicit"] {
    return (params, options) => this.#ask((questions) => questions.elicit(params, options));
  }

  get sample(): Context["sample"] {
    return (params, options) => this.#ask((questions) => questions.sample(params, options));
  }

  get listRoots(): Context["listRoots"] {
    return (options) => this.#ask((questions) => questions.listRoots(options));
  }

  /** Sends a notification that belongs to this call, unless the call is over; what JSON cannot carry is only reported. */
  notify(method: string, params: JsonObject): void {
    if (this.#isOver) return;
    try {
      this.peer.send({ kind: "notification", method, params }, this.id);
    } catch (unsayable) {
      this.catalogue.report(`${method} was not sent: ${describeThrown(unsayable)}`);
    }
  }

  #progress(progress: number, total?: number, message?: string): void {
    const progressToken = progressTokenOf(this.request.params);
    if (progressToken === undefined || !Number.isFinite(progress)) return;
    if (progress <= this.#lastProgress || this.peer.isBacklogged) return;
    this.#lastProgress = progress;
    const params =
      total === undefined || !Number.isFinite(total)
        ? { progressToken, progress }
        : { progressToken, progress, total };
    const isTold = message !== undefined && this.revision.progressMessage;
    this.notify("notifications/progress", isTold ? { ...params, message } : params);
  }

  #log(level: LoggingLevel, data: unknown, logger?: string): void {
    if (!this.catalogue.hasLogging) return;
    const minimum = this.revision.era === "stateless" ? this.caller.logLevel : this.peer.logLevel;
    if (minimum === undefined || !isAtLeast(level, minimum) || this.peer.isBacklogged) return;
    this.notify(
      "notifications/message",
      logger === undefined ? { level, data } : { level, logger, data },
    );
  }

  /** A question nobody awaits any more, as the second of two when the first one failed, must not end the process. */
  #ask<Answer>(put: (questions: Questions) => Promise<Answer>): Promise<Answer> {
    const answer = this.#isOver
      ? Promise.reject<Answer>(new AskError("The call is over, so the client cannot be asked"))
      : this.#put(put);
    answer.catch(() => {}); // whoever awaits it still gets the error
    return answer;
  }

  #put<Answer>(put: (questions: Questions) => Promise<Answer>): Promise<Answer> {
    this.#questions ??= this.createQuestions?.(this);
    return this.#questions === undefined
      ? Promise.reject<Answer>(new Error(`${this.request.method} cannot ask the client`))
      : put(this.#questions);
  }
}

const noParams: JsonObject = {};
