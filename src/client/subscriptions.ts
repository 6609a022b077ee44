/** Watches for changes: by `subscriptions/listen` where requests are stateless, by `resources/subscribe` after a handshake. */

import { isWanted, type Change, type SubscriptionFilter } from "../protocol/index.ts";
import { callOut } from "../transport/index.ts";
import type { CallOptions } from "./call-options.ts";
import { explainCancellation, type Failure } from "./client-error.ts";
import { Listening } from "./listening.ts";
import type { Requester } from "./requester.ts";
import {
  createSubscriptionError,
  type OnChange,
  type Subscription,
  type SubscriptionEnd,
} from "./subscription.ts";

interface Watcher {
  readonly filter: SubscriptionFilter;
  readonly onChange: OnChange;
  readonly end: (end: SubscriptionEnd) => void;
}

export class Subscriptions {
  readonly #requester: Requester;
  /** Those of a handshake server, which tells one stream of changes to all. */
  readonly #watchers = new Set<Watcher>();
  #end: Failure | undefined;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  open(
    filter: SubscriptionFilter,
    onChange: OnChange,
    options: CallOptions,
  ): Promise<Subscription> {
    return this.#requester.revision.era === "stateless"
      ? new Listening(this.#requester, filter, onChange).open(options)
      : this.#watch(filter, onChange, options);
  }

  takeChange(change: Change): void {
    for (const { filter, onChange } of this.#watchers)
      if (isWanted(filter, change)) callOut(onChange, change);
  }

  /** Ends the watchers of a handshake server; a listening call ends by itself. */
  end(failure: Failure): void {
    this.#end ??= failure;
    for (const { end } of this.#watchers)
      end({ kind: "lost", error: createSubscriptionError(failure) });
    this.#watchers.clear();
  }

  async #watch(
    filter: SubscriptionFilter,
    onChange: OnChange,
    options: CallOptions,
  ): Promise<Subscription> {
    const { signal } = options;
    if (this.#end !== undefined) throw createSubscriptionError(this.#end);
    const { promise: ended, resolve: end } = Promise.withResolvers<SubscriptionEnd>();
    const watcher: Watcher = { filter, onChange, end };
    const added: string[] = [];
    const giveBack = async (): Promise<void> => {
      this.#watchers.delete(watcher);
      for (const uri of added) {
        if (!this.#isWatched(uri))
          await this.#requester.call("resources/unsubscribe", { uri }, ignoreResult);
      }
    };
    this.#watchers.add(watcher);
    try {
      for (const uri of new Set(filter.resourceSubscriptions)) {
        await this.#requester.call("resources/subscribe", { uri }, ignoreResult, options);
        added.push(uri);
      }
      if (signal?.aborted === true) throw createSubscriptionError(explainCancellation(signal));
    } catch (error) {
      await giveBack().catch(() => {}); // the subscription has failed already: that is the error to tell
      throw error;
    }
    const onAbort = (): void => void dispose().catch(() => {}); // who aborts does not wait for the server's answer
    const dispose = async (): Promise<void> => {
      if (!this.#watchers.has(watcher)) return;
      signal?.removeEventListener("abort", onAbort);
      end({ kind: "disposed" });
      await giveBack();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    return { honoured: filter, ended, [Symbol.asyncDispose]: dispose };
  }

  #isWatched(uri: string): boolean {
    return [...this.#watchers].some(
      ({ filter }) => filter.resourceSubscriptions?.includes(uri) === true,
    );
  }
}

function ignoreResult(): void {}
