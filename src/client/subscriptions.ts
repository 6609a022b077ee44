/** Watches for changes: by `subscriptions/listen` where requests are stateless, by `resources/subscribe` after a handshake. */

import {
  isObject,
  type JsonObject,
  type NotificationMessage,
  type SubscriptionFilter,
} from "../protocol/index.ts";
import type { CallOptions } from "./call-options.ts";
import type { Caller } from "./caller.ts";
import { makeError, type ClientError, type Failure } from "./client-error.ts";
import { callOut } from "./call-out.ts";

export interface WatchFilter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  /** URIs of single resources. */
  readonly resources?: readonly string[];
}

export type Change =
  | { readonly kind: "tools" }
  | { readonly kind: "prompts" }
  | { readonly kind: "resources" }
  /** One resource, or a part of it. */
  | { readonly kind: "resource"; readonly uri: string };

export type SubscriptionEnd =
  | { readonly kind: "disposed" }
  | { readonly kind: "ended by the server" }
  | { readonly kind: "lost"; readonly error: ClientError };

export interface Subscription extends AsyncDisposable {
  /** What the server agreed to tell; less than was asked where it cannot. */
  readonly honoured: WatchFilter;
  /** Resolves when no further change will be told. */
  readonly ended: Promise<SubscriptionEnd>;
}

type OnChange = (change: Change) => void;

interface Watcher {
  readonly filter: WatchFilter;
  readonly onChange: OnChange;
  readonly end: (end: SubscriptionEnd) => void;
}

export class Subscriptions {
  readonly #caller: Caller;
  /** Those of a handshake server, which tells one stream of changes to all. */
  readonly #watchers = new Set<Watcher>();

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  open(filter: WatchFilter, onChange: OnChange, options: CallOptions): Promise<Subscription> {
    return this.#caller.revision.era === "stateless"
      ? this.#listen(filter, onChange, options)
      : this.#watch(filter, onChange, options);
  }

  takeNotification(message: NotificationMessage): void {
    if (this.#watchers.size === 0) return;
    const change = readChange(message);
    if (change === undefined) return;
    for (const { filter, onChange } of this.#watchers)
      if (isWanted(change, filter)) callOut(onChange, change);
  }

  /** Ends the watchers of a handshake server; a listening call ends by itself. */
  end(failure: Failure): void {
    for (const { end } of this.#watchers) end({ kind: "lost", error: describeLoss(failure) });
    this.#watchers.clear();
  }

  async #watch(
    filter: WatchFilter,
    onChange: OnChange,
    options: CallOptions,
  ): Promise<Subscription> {
    const { promise: ended, resolve: end } = Promise.withResolvers<SubscriptionEnd>();
    const watcher: Watcher = { filter, onChange, end };
    const added: string[] = [];
    const giveBack = async (): Promise<void> => {
      this.#watchers.delete(watcher);
      for (const uri of added) {
        if (!this.#isWatched(uri))
          await this.#caller.call("resources/unsubscribe", { uri }, ignoreResult);
      }
    };
    this.#watchers.add(watcher);
    try {
      for (const uri of new Set(filter.resources)) {
        await this.#caller.call("resources/subscribe", { uri }, ignoreResult, options);
        added.push(uri);
      }
    } catch (error) {
      await giveBack().catch(() => {}); // the subscription has failed already: that is the error to tell
      throw error;
    }
    const dispose = async (): Promise<void> => {
      if (!this.#watchers.has(watcher)) return;
      end({ kind: "disposed" });
      await giveBack();
    };
    return { honoured: filter, ended, [Symbol.asyncDispose]: dispose };
  }

  #isWatched(uri: string): boolean {
    return [...this.#watchers].some(({ filter }) => filter.resources?.includes(uri) === true);
  }

  /** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions */
  #listen(filter: WatchFilter, onChange: OnChange, options: CallOptions): Promise<Subscription> {
    const { promise: ended, resolve: end } = Promise.withResolvers<SubscriptionEnd>();
    const {
      promise: acknowledged,
      resolve: acknowledge,
      reject,
    } = Promise.withResolvers<Subscription>();
    const controller = new AbortController();
    const lose = (failure: Failure): void => {
      if (controller.signal.aborted) return end({ kind: "disposed" });
      const error = describeLoss(failure);
      reject(error);
      end({ kind: "lost", error });
    };
    const dispose = async (): Promise<void> =>
      controller.abort(new DOMException("The subscription was disposed", "AbortError"));
    const onNotification = (message: NotificationMessage): void => {
      if (message.method === "notifications/subscriptions/acknowledged") {
        acknowledge({
          honoured: readHonoured(message.params),
          ended,
          [Symbol.asyncDispose]: dispose,
        });
        return;
      }
      if (message.method === "notifications/cancelled") {
        end({ kind: "ended by the server" });
        reject(
          describeLoss({ code: "closed", what: "the server ended it, expected an acknowledgment" }),
        );
        controller.abort();
        return;
      }
      const change = readChange(message);
      if (change !== undefined && isWanted(change, filter)) callOut(onChange, change);
    };
    const { timeoutMs = 60_000 } = options;
    const waiting = setTimeout(() => {
      reject(
        describeLoss({
          code: "timeout",
          what: `no acknowledgment within ${timeoutMs} ms, expected notifications/subscriptions/acknowledged`,
        }),
      );
      controller.abort();
    }, timeoutMs);
    const meta = this.#caller.metaFor(options);
    this.#caller.connection.send({
      method: "subscriptions/listen",
      params: { notifications: toWire(filter), ...(meta === undefined ? {} : { _meta: meta }) },
      timeoutMs: Infinity,
      options: { signal: controller.signal },
      onNotification,
      succeed: () => {
        end({ kind: "ended by the server" });
        reject(
          describeLoss({ code: "closed", what: "the server ended it, expected an acknowledgment" }),
        );
      },
      fail: lose,
    });
    return acknowledged.finally(() => clearTimeout(waiting));
  }
}

function ignoreResult(): void {}

function describeLoss(failure: Failure): ClientError {
  return makeError("Cannot subscribe", failure);
}

function toWire({ resources, ...rest }: WatchFilter): SubscriptionFilter {
  return resources === undefined ? rest : { ...rest, resourceSubscriptions: resources };
}

function readHonoured(params: JsonObject | undefined): WatchFilter {
  const honoured = params?.["notifications"];
  if (!isObject(honoured)) return {};
  const { resourceSubscriptions: uris } = honoured;
  return {
    toolsListChanged: honoured["toolsListChanged"] === true,
    promptsListChanged: honoured["promptsListChanged"] === true,
    resourcesListChanged: honoured["resourcesListChanged"] === true,
    resources: Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [],
  };
}

function readChange({ method, params }: NotificationMessage): Change | undefined {
  switch (method) {
    case "notifications/tools/list_changed":
      return { kind: "tools" };
    case "notifications/prompts/list_changed":
      return { kind: "prompts" };
    case "notifications/resources/list_changed":
      return { kind: "resources" };
    case "notifications/resources/updated": {
      const uri = params?.["uri"];
      return typeof uri === "string" ? { kind: "resource", uri } : undefined;
    }
  }
  return undefined;
}

function isWanted(change: Change, filter: WatchFilter): boolean {
  switch (change.kind) {
    case "tools":
      return filter.toolsListChanged === true;
    case "prompts":
      return filter.promptsListChanged === true;
    case "resources":
      return filter.resourcesListChanged === true;
    case "resource":
      return filter.resources?.some((uri) => change.uri.startsWith(uri)) === true;
  }
}
