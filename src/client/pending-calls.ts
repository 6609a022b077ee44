/** The calls that wait for their reply, by id, and the one timer that ends those whose time is over. */

import {
  Underway,
  type JsonObject,
  type NotificationMessage,
  type RequestId,
} from "../protocol/index.ts";
import { maxTimerMs } from "../transport/index.ts";
import type { CallOptions } from "./call-options.ts";
import type { Failure } from "./client-error.ts";
import type { Mark } from "./observations.ts";

/** A request on its way out, and what becomes of its reply. */
export interface OutgoingCall {
  readonly method: string;
  readonly params: JsonObject | undefined;
  /** `Infinity` for a call that may stay open. */
  readonly timeoutMs: number;
  readonly options: CallOptions;
  readonly succeed: (result: JsonObject) => void;
  readonly fail: (failure: Failure) => void;
  /** Takes what a subscription's stream carries. */
  readonly onNotification?: (message: NotificationMessage) => void;
  /** Whether the server is not told when the call is given up: `initialize` must not be cancelled. */
  readonly isQuiet?: boolean;
}

export interface PendingCall {
  readonly id: number;
  readonly call: OutgoingCall;
  readonly startedAt: number;
  readonly mark: Mark;
  /** By the clock of `performance.now()`. */
  deadline: number;
  readonly onAbort: (() => void) | undefined;
}

/** How many given-up calls are remembered, to know their replies when they come late. */
export const maxGivenUp = 1_000;

export class PendingCalls {
  readonly #calls = new Underway<RequestId, PendingCall>();
  readonly #givenUp = new Set<RequestId>();
  #lastId = 0;
  readonly #onTimeout: (pending: PendingCall) => void;
  #timer: NodeJS.Timeout | undefined;
  #nextSweepAt = Infinity;

  constructor(onTimeout: (pending: PendingCall) => void) {
    this.#onTimeout = onTimeout;
  }

  /** Gives the id of the next call. */
  nextId(): number {
    return ++this.#lastId;
  }

  get(id: RequestId): PendingCall | undefined {
    return this.#calls.get(id);
  }

  /** Gives the calls that still wait and were sent after that time. */
  sentAfter(time: number): readonly PendingCall[] {
    return [...this.#calls.values()].filter((pending) => pending.startedAt > time);
  }

  /** Finds the call whose id comes back as a string: a mistake of some servers. */
  findByText(id: unknown): PendingCall | undefined {
    return typeof id === "string" && String(Number(id)) === id ? this.get(Number(id)) : undefined;
  }

  /** Says why nobody waits for a reply to this id. */
  fateOf(id: RequestId | null | undefined): "never sent" | "given up" | "answered" {
    const wasSent = typeof id === "number" && id >= 1 && id <= this.#lastId && Number.isInteger(id);
    if (!wasSent) return "never sent";
    return this.#givenUp.has(id) ? "given up" : "answered";
  }

  add(pending: PendingCall): void {
    this.#calls.set(pending.id, pending);
    // Calls mostly have one and the same limit, so a later call rarely has the earlier deadline.
    if (pending.deadline < this.#nextSweepAt) this.#arm(pending.deadline);
    else if (this.#calls.size === 1) this.#timer?.ref();
  }

  remove(pending: PendingCall): void {
    this.#calls.delete(pending.id);
    if (this.#calls.size === 0) this.#timer?.unref(); // an idle connection keeps no process alive by its timer
    if (pending.onAbort !== undefined)
      pending.call.options.signal?.removeEventListener("abort", pending.onAbort);
  }

  /** Removes a call whose reply may still come. */
  giveUp(pending: PendingCall): void {
    this.remove(pending);
    if (this.#givenUp.size >= maxGivenUp) {
      for (const oldest of this.#givenUp) {
        this.#givenUp.delete(oldest);
        break;
      }
    }
    this.#givenUp.add(pending.id);
  }

  /** Takes all calls out, oldest first. */
  removeAll(): readonly PendingCall[] {
    const all = [...this.#calls.values()];
    for (const pending of all) this.remove(pending);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#nextSweepAt = Infinity;
    return all;
  }

  #arm(at: number): void {
    clearTimeout(this.#timer);
    this.#nextSweepAt = at;
    this.#timer = setTimeout(
      this.#sweep,
      Math.min(Math.max(1, at - performance.now()), maxTimerMs),
    );
    if (this.#calls.size === 0) this.#timer.unref();
  }

  readonly #sweep = (): void => {
    const now = performance.now();
    this.#nextSweepAt = Infinity;
    let next = Infinity;
    for (const pending of this.#calls.values()) {
      if (pending.deadline <= now) this.#onTimeout(pending);
      else if (pending.deadline < next) next = pending.deadline;
    }
    if (next < this.#nextSweepAt) this.#arm(next);
  };
}
