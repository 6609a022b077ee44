/** The requests a server sends to its client, each awaiting one answer. */

import type {
  ErrorMessage,
  Fault,
  JsonObject,
  RequestId,
  ResultMessage,
  ServerRequestMethod,
} from "../protocol/index.ts";
import type { Outlet } from "../transport/index.ts";
import { AskError } from "./author-error.ts";
import { startTimer } from "./timer.ts";

interface Pending {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
  readonly method: ServerRequestMethod;
}

export class Asks {
  readonly #outlet: Outlet;
  readonly #timeoutMs: number;
  readonly #pending = new Map<RequestId, Pending>();
  #nextId = 1;

  constructor(outlet: Outlet, timeoutMs: number) {
    this.#outlet = outlet;
    this.#timeoutMs = timeoutMs;
  }

  /** Sends a request and waits for its answer, at most the time limit, or until the call it belongs to ends. */
  ask(
    method: ServerRequestMethod,
    params: JsonObject,
    about: RequestId,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const id = this.#nextId++;
    if (signal.aborted) return Promise.reject(new AskError(`The call is over (${method})`));
    this.#outlet.send({ kind: "request", id, method, params }, about);
    return new Promise<JsonObject>((resolve, reject) => {
      const giveUp = (reason: string): void => {
        this.#pending.delete(id);
        stopWaiting();
        this.#outlet.send(
          {
            kind: "notification",
            method: "notifications/cancelled",
            params: { requestId: id, reason },
          },
          about,
        );
        reject(new AskError(`The client ${reason} (${method})`));
      };
      const onAbort = (): void => giveUp("was no longer waited for");
      const timer = startTimer(this.#timeoutMs, () =>
        giveUp(`did not answer within ${this.#timeoutMs} ms`),
      )?.unref(); // an open question alone keeps no process
      const stopWaiting = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const settle =
        <Value>(then: (value: Value) => void) =>
        (value: Value): void => {
          stopWaiting();
          then(value);
        };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#pending.set(id, { method, resolve: settle(resolve), reject: settle(reject) });
    });
  }

  /** Gives an answer to whoever waits for it, also a faulty one; one that nobody waits for is passed over. */
  settle(answer: ResultMessage | ErrorMessage | Fault): void {
    const { id } = answer;
    const pending = this.#take(id);
    if (pending === undefined) return this.#refuseText(id);
    const { method, resolve, reject } = pending;
    switch (answer.kind) {
      case "result":
        return resolve(answer.result);
      case "error": {
        const { code, message } = answer.error;
        return reject(new AskError(`The client answered ${method} with error ${code}: ${message}`));
      }
      case "fault":
        return reject(unreadable(method, answer.detail));
    }
  }

  #take(id: RequestId | null | undefined): Pending | undefined {
    if (id === null || id === undefined) return undefined;
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  /** A client that makes a text of each id answers `"1"` to `1`, and would be waited for in vain. */
  #refuseText(id: RequestId | null | undefined): void {
    if (typeof id !== "string" || String(Number(id)) !== id) return;
    const pending = this.#take(Number(id));
    pending?.reject(unreadable(pending.method, `its id is the string "${id}", expected ${id}`));
  }

  /** Gives up every open request: the client is gone. */
  close(): void {
    for (const { method, reject } of this.#pending.values())
      reject(new AskError(`The client is gone (${method})`));
    this.#pending.clear();
  }
}

function unreadable(method: ServerRequestMethod, why: string): AskError {
  return new AskError(`The client's answer to ${method} cannot be read: ${why}`);
}
