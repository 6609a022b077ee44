/** Answers the requests that a handshake server sends on its own: ping, and what the handlers are for. */

import {
  ErrorCode,
  isRequestId,
  WireError,
  type JsonObject,
  type RequestId,
  type RequestMessage,
} from "../protocol/index.ts";
import type { Connection } from "./connection.ts";
import { startClock } from "./handler-patience.ts";
import { startHandler, type Handlers } from "./handlers.ts";

/** How many handlers run at once, given up or not: it stops a server from opening ten thousand dialogs. */
export const maxRunningHandlers = 32;

export class ServerRequests {
  readonly #handlers: Handlers;
  readonly #handlerTimeoutMs: number;
  /** The questions that wait for their answer. */
  readonly #running = new Map<RequestId, AbortController>();
  /** The handlers that have not come to an end: one whose question was cancelled counts as long as it goes on. */
  #handlerCount = 0;
  #congestion: Promise<void> | undefined;

  constructor(handlers: Handlers, handlerTimeoutMs: number) {
    this.#handlers = handlers;
    this.#handlerTimeoutMs = handlerTimeoutMs;
  }

  take(request: RequestMessage, connection: Connection): void {
    if (this.#isCongested(connection)) return connection.observations.addUnansweredRequest();
    if (request.method === "ping") {
      connection.transport.send({ kind: "result", id: request.id, result: {} });
      return;
    }
    if (this.#running.has(request.id)) {
      const message = "The id is in flight, expected one that no running request has";
      return refuse(connection, request.id, new WireError(ErrorCode.InvalidRequest, message));
    }
    if (this.#handlerCount >= maxRunningHandlers) {
      const message = `${maxRunningHandlers} requests are being answered already, the most this client takes at once`;
      return refuse(connection, request.id, new WireError(ErrorCode.InternalError, message));
    }
    this.#start(request, connection);
  }

  /** Takes `notifications/cancelled`: the handler's signal is aborted, and nothing is answered. */
  cancel(params: JsonObject | undefined): void {
    const id = params?.["requestId"];
    if (!isRequestId(id)) return;
    const running = this.#running.get(id);
    this.#running.delete(id);
    running?.abort(new DOMException("The server cancelled its request", "AbortError"));
  }

  cancelAll(): void {
    for (const running of this.#running.values())
      running.abort(new DOMException("The connection is closed", "AbortError"));
    this.#running.clear();
  }

  #start(request: RequestMessage, connection: Connection): void {
    const { id, method, params } = request;
    const controller = new AbortController();
    try {
      const answering = startHandler(this.#handlers, method, params, { signal: controller.signal });
      if (answering === undefined) return refuse(connection, id, methodNotFound(method));
      this.#running.set(id, controller);
      void this.#answer(answering, { id, controller, connection });
    } catch (thrown) {
      refuse(connection, id, thrown);
    }
  }

  /** Sends one answer, unless the question was cancelled before; never rejects. */
  async #answer(
    answering: Promise<object>,
    { id, controller, connection }: Question,
  ): Promise<void> {
    const isWaiting = (): boolean => this.#running.get(id) === controller;
    const stopClock = startClock(this.#handlerTimeoutMs, () => {
      if (isWaiting()) this.#giveUp(id, connection);
      controller.abort(new DOMException("The handler's time is over", "TimeoutError"));
    });
    controller.signal.addEventListener("abort", stopClock); // a handler that never ends keeps no timer
    this.#handlerCount++;
    try {
      const result = await answering;
      if (isWaiting()) connection.transport.send({ kind: "result", id, result: { ...result } });
    } catch (thrown) {
      if (isWaiting()) refuse(connection, id, thrown); // what the handler threw, or its answer that is no JSON
    } finally {
      if (isWaiting()) this.#running.delete(id);
      this.#handlerCount--;
      stopClock();
    }
  }

  #giveUp(id: RequestId, connection: Connection): void {
    this.#running.delete(id);
    refuse(
      connection,
      id,
      new WireError(ErrorCode.InternalError, "The client's handler is too slow"),
    );
    connection.observations.remark(
      `A handler has not answered the server within ${this.#handlerTimeoutMs} ms (handlerTimeoutMs)`,
    );
  }

  /** A server that asks and does not read gets no further answers, for they would fill the memory. */
  #isCongested(connection: Connection): boolean {
    if (this.#congestion !== undefined) return true;
    const drained = connection.transport.drained();
    if (drained === undefined) return false;
    this.#congestion = drained.then(() => {
      this.#congestion = undefined;
    });
    return true;
  }
}

interface Question {
  readonly id: RequestId;
  readonly controller: AbortController;
  readonly connection: Connection;
}

function methodNotFound(method: string): WireError {
  return new WireError(ErrorCode.MethodNotFound, `This client has no method "${method}"`);
}

/** Sends the error that was meant for the server, or that there was one; never throws. */
function refuse({ observations, transport }: Connection, id: RequestId, thrown: unknown): void {
  let bug = thrown;
  if (thrown instanceof WireError) {
    try {
      return transport.send({ kind: "error", id, error: thrown.toBody() });
    } catch (cause) {
      bug = cause; // its data is no JSON
    }
  }
  observations.addHandlerError(bug);
  const { code, message } = handlerFailed;
  transport.send({ kind: "error", id, error: { code, message } });
}

const handlerFailed = { code: ErrorCode.InternalError, message: "The client's handler failed" };
