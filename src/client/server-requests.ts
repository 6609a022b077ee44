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
import { startHandler, type Handlers } from "./handlers.ts";

/** How many handlers run at once: it stops a server from opening ten thousand dialogs. */
export const maxRunningHandlers = 32;

export class ServerRequests {
  readonly #handlers: Handlers;
  readonly #running = new Map<RequestId, AbortController>();
  #congestion: Promise<void> | undefined;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  take(request: RequestMessage, connection: Connection): void {
    if (this.#isCongested(connection)) return connection.observations.addUnansweredRequest();
    if (request.method === "ping") {
      connection.transport.send({ kind: "result", id: request.id, result: {} });
      return;
    }
    if (this.#running.size >= maxRunningHandlers) {
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
    const isWanted = (): boolean => this.#running.get(id) === controller;
    const finish = (answer: () => void): void => {
      if (!isWanted()) return;
      this.#running.delete(id);
      answer();
    };
    try {
      const answering = startHandler(this.#handlers, method, params, { signal: controller.signal });
      if (answering === undefined) return refuse(connection, id, methodNotFound(method));
      this.#running.set(id, controller);
      answering.then(
        (result) =>
          finish(() => connection.transport.send({ kind: "result", id, result: { ...result } })),
        (thrown: unknown) => finish(() => refuse(connection, id, thrown)),
      );
    } catch (thrown) {
      refuse(connection, id, thrown);
    }
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

function methodNotFound(method: string): WireError {
  return new WireError(ErrorCode.MethodNotFound, `This client has no method "${method}"`);
}

function refuse(connection: Connection, id: RequestId, thrown: unknown): void {
  if (!(thrown instanceof WireError)) connection.observations.addHandlerError(thrown);
  const error =
    thrown instanceof WireError
      ? thrown
      : new WireError(ErrorCode.InternalError, "The client's handler failed");
  connection.transport.send({ kind: "error", id, error: error.toBody() });
}
