/** Makes the calls of one agreed connection: says who asks, answers what the server asks back, reads the result. */

import {
  describeValue,
  isObject,
  MetaKey,
  toPrintable,
  type JsonObject,
  type LoggingLevel,
  type Revision,
} from "../protocol/index.ts";
import { readDuration } from "../transport/index.ts";
import { defaultMaxTotalTimeoutMs, noOptions, type CallOptions } from "./call-options.ts";
import { createError, ResultFailure, type Failure } from "./client-error.ts";
import type { Connection } from "./connection.ts";
import type { Handlers } from "./handlers.ts";
import { untilGivenUp } from "./handler-patience.ts";
import { answerInput, maxInputRounds, methodsWithInput } from "./input-rounds.ts";

export interface RequesterParts {
  readonly connection: Connection;
  readonly revision: Revision;
  /** What every stateless request says of its caller; absent after a handshake. */
  readonly meta: JsonObject | undefined;
  readonly handlers: Handlers;
  readonly timeoutMs: number;
  readonly handlerTimeoutMs: number;
}

/** Turns a complete result into what the caller gets; throws `ResultFailure` where it is not one. */
export type ReadResult<Value> = (result: JsonObject, isCacheable: boolean) => Value;

export class Requester {
  readonly connection: Connection;
  readonly revision: Revision;
  /** How long a call may take that does not say it itself. */
  readonly timeoutMs: number;
  readonly #handlers: Handlers;
  readonly #handlerTimeoutMs: number;
  readonly #isStateless: boolean;
  #meta: JsonObject | undefined;

  constructor(parts: RequesterParts) {
    const { connection, revision, meta, handlers } = parts;
    this.connection = connection;
    this.revision = revision;
    this.#isStateless = revision.era === "stateless";
    this.#meta = meta;
    this.#handlers = handlers;
    this.#handlerTimeoutMs = parts.handlerTimeoutMs;
    this.timeoutMs = parts.timeoutMs;
  }

  /** Asks with every later request for log messages from this level on. */
  setLogLevel(level: LoggingLevel): void {
    this.#meta = { ...this.#meta, [MetaKey.logLevel]: level };
  }

  /** Gives the `_meta` of one request. */
  metaFor(options: CallOptions = noOptions, own?: unknown): JsonObject | undefined {
    const level = this.#isStateless ? options.logLevel : undefined;
    if (level === undefined && !isObject(own)) return this.#meta;
    return {
      ...(isObject(own) ? own : undefined),
      ...this.#meta,
      ...(level === undefined ? undefined : { [MetaKey.logLevel]: level }),
    };
  }

  /** Gives how long a call may take. Throws a `UsageError` for a time that is none. */
  timeoutOf({ timeoutMs, maxTotalTimeoutMs }: CallOptions): number {
    if (maxTotalTimeoutMs !== undefined)
      readDuration("maxTotalTimeoutMs", maxTotalTimeoutMs, defaultMaxTotalTimeoutMs);
    return timeoutMs === undefined
      ? this.timeoutMs
      : readDuration("timeoutMs", timeoutMs, this.timeoutMs);
  }

  /** @param params with their `_meta`, from `metaFor` */
  call<Value>(
    method: string,
    params: JsonObject,
    read: ReadResult<Value>,
    options: CallOptions = noOptions,
  ): Promise<Value> {
    return new Promise((resolve, reject) => {
      const timeoutMs = this.timeoutOf(options);
      this.#send({ method, params, read, options, timeoutMs, resolve, reject }, params, 0);
    });
  }

  #send<Value>(asked: Asked<Value>, params: JsonObject, round: number): void {
    const { method, options, timeoutMs, reject } = asked;
    this.connection.send({
      method,
      params,
      timeoutMs,
      options,
      succeed: (result) => this.#finish(asked, result, round),
      fail: (failure) => reject(createError(describeCall(asked), failure)),
    });
  }

  #finish<Value>(asked: Asked<Value>, result: JsonObject, round: number): void {
    const type = this.#isStateless ? result["resultType"] : undefined;
    if (type !== undefined && type !== "complete") {
      if (type === "input_required") void this.#goOn(asked, result, round);
      else asked.reject(createError(describeCall(asked), explainUnknownType(type)));
      return;
    }
    try {
      asked.resolve(asked.read(result, round === 0));
    } catch (thrown) {
      asked.reject(
        thrown instanceof ResultFailure ? createError(describeCall(asked), thrown.failure) : thrown,
      );
    }
  }

  /** The answered request is a new one, with a new id: the server remembers nothing of the first. */
  async #goOn<Value>(asked: Asked<Value>, result: JsonObject, round: number): Promise<void> {
    const { method, params, options, reject } = asked;
    const refuse = (failure: Failure): void => reject(createError(describeCall(asked), failure));
    if (!methodsWithInput.has(method)) {
      return refuse({
        code: "protocol",
        what: `the result asks for input, expected that of ${[...methodsWithInput].join(", ")} alone`,
      });
    }
    if (round >= maxInputRounds) {
      return refuse({
        code: "limit",
        what: `the server asked for input once more after maxInputRounds (${maxInputRounds}), expected a result`,
      });
    }
    try {
      const answer = await untilGivenUp((signal) => answerInput(result, this.#handlers, signal), {
        method,
        connection: this.connection,
        signal: options.signal,
        timeoutMs: this.#handlerTimeoutMs,
      });
      if (answer.kind === "failure") return refuse(answer.failure);
      this.#send(asked, { ...params, ...answer.params }, round + 1);
    } catch (thrown) {
      reject(thrown);
    }
  }
}

interface Asked<Value> {
  readonly method: string;
  readonly params: JsonObject;
  readonly read: ReadResult<Value>;
  readonly options: CallOptions;
  readonly timeoutMs: number;
  readonly resolve: (value: Value) => void;
  readonly reject: (thrown: unknown) => void;
}

/** Says what was called: the method, and the tool, prompt or resource it is about. */
function describeCall({
  method,
  params,
}: {
  readonly method: string;
  readonly params: JsonObject;
}): string {
  const about = params["name"] ?? params["uri"];
  return `Cannot call "${method}${typeof about === "string" ? ` ${toPrintable(about, 80)}` : ""}"`;
}

function explainUnknownType(type: unknown): Failure {
  return {
    code: "protocol",
    what: `the result's "resultType" is ${toPrintable(describeValue(type), 80)}, expected "complete" or "input_required"`,
  };
}
