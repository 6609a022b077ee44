/** One call of `subscriptions/listen`: acknowledged first, open as long as changes are told on it. */

import {
  isObject,
  isStringArray,
  isWanted,
  parseChange,
  type JsonObject,
  type NotificationMessage,
  type SubscriptionFilter,
} from "../protocol/index.ts";
import { callOut, within } from "../transport/index.ts";
import type { CallOptions } from "./call-options.ts";
import type { Failure } from "./client-error.ts";
import type { Requester } from "./requester.ts";
import {
  createSubscriptionError,
  type OnChange,
  type Subscription,
  type SubscriptionEnd,
} from "./subscription.ts";

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions */
export class Listening {
  readonly #requester: Requester;
  readonly #filter: SubscriptionFilter;
  readonly #onChange: OnChange;
  readonly #acknowledged = Promise.withResolvers<Subscription>();
  readonly #ended = Promise.withResolvers<SubscriptionEnd>();
  /** Ends the call from this side. */
  readonly #controller = new AbortController();

  constructor(requester: Requester, filter: SubscriptionFilter, onChange: OnChange) {
    this.#requester = requester;
    this.#filter = filter;
    this.#onChange = onChange;
  }

  /** Resolves when the server has acknowledged it. */
  async open(options: CallOptions): Promise<Subscription> {
    const timeoutMs = this.#requester.timeoutOf(options);
    this.#send(options);
    const subscription = await within(this.#acknowledged.promise, timeoutMs);
    if (subscription !== undefined) return subscription;
    this.#controller.abort();
    throw createSubscriptionError({
      code: "timeout",
      what: `no acknowledgment within ${timeoutMs} ms, expected notifications/subscriptions/acknowledged`,
    });
  }

  #send(options: CallOptions): void {
    const { signal } = this.#controller;
    const meta = this.#requester.metaFor(options);
    this.#requester.connection.send({
      method: "subscriptions/listen",
      params: { notifications: this.#filter, ...(meta === undefined ? {} : { _meta: meta }) },
      timeoutMs: Infinity,
      options: {
        signal: options.signal === undefined ? signal : AbortSignal.any([options.signal, signal]),
      },
      onNotification: (message) => this.#take(message),
      succeed: () => this.#endByServer(),
      fail: (failure) => this.#fail(failure),
    });
  }

  #take(message: NotificationMessage): void {
    if (message.method === "notifications/subscriptions/acknowledged") {
      return this.#acknowledged.resolve({
        honoured: readHonoured(message.params),
        ended: this.#ended.promise,
        [Symbol.asyncDispose]: async () => this.#dispose(),
      });
    }
    if (message.method === "notifications/cancelled") {
      this.#endByServer();
      return this.#controller.abort();
    }
    const change = parseChange(message);
    if (change !== undefined && isWanted(this.#filter, change)) callOut(this.#onChange, change);
  }

  #endByServer(): void {
    this.#ended.resolve({ kind: "ended by the server" });
    const what = "the server ended it, expected an acknowledgment";
    this.#acknowledged.reject(createSubscriptionError({ code: "closed", what }));
  }

  #fail(failure: Failure): void {
    const error = createSubscriptionError(failure);
    this.#acknowledged.reject(error);
    this.#ended.resolve(
      failure.code === "cancelled" ? { kind: "disposed" } : { kind: "lost", error },
    );
  }

  #dispose(): void {
    this.#controller.abort(new DOMException("The subscription was disposed", "AbortError"));
  }
}

function readHonoured(params: JsonObject | undefined): SubscriptionFilter {
  const honoured = params?.["notifications"];
  if (!isObject(honoured)) return {};
  const { resourceSubscriptions: uris } = honoured;
  return {
    toolsListChanged: honoured["toolsListChanged"] === true,
    promptsListChanged: honoured["promptsListChanged"] === true,
    resourcesListChanged: honoured["resourcesListChanged"] === true,
    resourceSubscriptions: isStringArray(uris) ? uris : [],
  };
}
