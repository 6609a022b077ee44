/** The requests a server sends to its client, each awaiting one answer. */

import type {
  ErrorMessage,
  JsonObject,
  RequestId,
  ResultMessage,
  ServerRequestMethod,
} from "../protocol/index.ts";
import type { Outlet } from "../transport/index.ts";
import { AskError } from "./author-error.ts";

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
    const limit = AbortSignal.timeout(this.#timeoutMs);
    const either = AbortSignal.any([signal, limit]);
    return new Promise<JsonObject>((resolve, reject) => {
      const giveUp = (): void => {
        this.#pending.delete(id);
        const reason = limit.aborted
          ? `did not answer within ${this.#timeoutMs} ms`
          : "was no longer waited for";
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
      const settle =
        <Value>(then: (value: Value) => void) =>
        (value: Value): void => {
          either.removeEventListener("abort", giveUp);
          then(value);
        };
      if (signal.aborted) return reject(new AskError(`The call is over (${method})`));
      this.#outlet.send({ kind: "request", id, method, params }, about);
      either.addEventListener("abort", giveUp, { once: true });
      this.#pending.set(id, { method, resolve: settle(resolve), reject: settle(reject) });
    });
  }

  /** Gives an answer to whoever waits for it; one that nobody waits for is passed over. */
  settle(answer: ResultMessage | ErrorMessage): void {
    const { id } = answer;
    const pending = id === null || id === undefined ? undefined : this.#pending.get(id);
    if (pending === undefined || id === null || id === undefined) return;
    this.#pending.delete(id);
    if (answer.kind === "result") return pending.resolve(answer.result);
    const { code, message } = answer.error;
    pending.reject(
      new AskError(`The client answered ${pending.method} with error ${code}: ${message}`),
    );
  }

  /** Gives up every open request: the client is gone. */
  close(): void {
    for (const { method, reject } of this.#pending.values())
      reject(new AskError(`The client is gone (${method})`));
    this.#pending.clear();
  }
}
