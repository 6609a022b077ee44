/** The calls of one session whose code runs: those that wait for their reply, and those that were cancelled meanwhile. */

import { Underway, type RequestId } from "../protocol/index.ts";
import type { Outlet } from "../transport/index.ts";
import type { Call } from "./call.ts";
import { startTimer } from "./timer.ts";

/** Where replies leave; one that collects them is told of a reply that will not come. */
export interface ReplyOutlet extends Outlet {
  forgo?(): void;
}

export class CallsInFlight {
  readonly #running = new Underway<
    RequestId,
    { readonly call: Call; readonly outlet: ReplyOutlet }
  >();
  /** Cancelled calls count until their code ends, or call and cancel would be a way round the limit. */
  readonly #abandoned = new Set<Call>();
  #onIdle: (() => void)[] | undefined;

  get size(): number {
    return this.#running.size + this.#abandoned.size;
  }

  /** Whether a call with this id waits for its reply. */
  has(id: RequestId): boolean {
    return this.#running.has(id);
  }

  outletOf(id: RequestId): ReplyOutlet | undefined {
    return this.#running.get(id)?.outlet;
  }

  add(call: Call, outlet: ReplyOutlet): void {
    this.#running.set(call.id, { call, outlet });
  }

  /** Takes out a call whose code has ended, and says whether it is still owed its reply. */
  end(call: Call): boolean {
    const isOwed = this.#running.get(call.id)?.call === call;
    if (isOwed) this.#running.delete(call.id);
    else this.#abandoned.delete(call);
    if (this.size === 0) for (const wake of this.#onIdle?.splice(0) ?? []) wake();
    return isOwed;
  }

  /** Cancels a call without a reply; nothing happens for an id that no running call has. */
  cancel(id: RequestId, reason: string): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#running.delete(id);
    this.#abandoned.add(running.call);
    running.call.cancel(new Error(reason));
    running.outlet.forgo?.();
  }

  cancelAll(reason: string): void {
    for (const [id] of this.#running.entries()) this.cancel(id, reason);
  }

  /** Adds up the bytes of all requests; asked for large ones only. */
  countBytes(): number {
    let bytes = 0;
    for (const { call } of this.#running.values()) bytes += call.request.bytes ?? 0;
    for (const call of this.#abandoned) bytes += call.request.bytes ?? 0;
    return bytes;
  }

  /** Resolves when no call is left, or after `limitMs`. */
  whenIdle(limitMs: number): Promise<void> {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = startTimer(limitMs, resolve);
      (this.#onIdle ??= []).push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
