/** Turns: how many calls of a tool, a task and a principal run at once, and who waits for how long. */

import type { GateLimits } from "./limits.ts";

/** A place that a call takes, and how many may take it at once. */
export interface Lane {
  readonly name: string;
  readonly limit: number;
}

export type Turn = "entered" | "queue full" | "waited too long" | "gone";

interface Waiter {
  readonly lanes: readonly Lane[];
  readonly resolve: (turn: Turn) => void;
}

export class Lanes {
  readonly #running = new Map<string, number>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiter>();
  readonly #limits: Pick<GateLimits, "queueWaitMs" | "queueLength">;

  constructor(limits: Pick<GateLimits, "queueWaitMs" | "queueLength">) {
    this.#limits = limits;
  }

  /** Whether a call could enter all of these now. Whoever waits is blocked by a full lane, so nobody is overtaken in one. */
  hasRoom(lanes: readonly Lane[]): boolean {
    return this.#running.size === 0 || this.findFull(lanes) === undefined;
  }

  /** Gives the first lane that is full. */
  findFull(lanes: readonly Lane[]): Lane | undefined {
    return lanes.find(({ name, limit }) => (this.#running.get(name) ?? 0) >= limit);
  }

  /** Enters all of the lanes, whether they have room or not: ask `hasRoom` first. */
  enter(lanes: readonly Lane[]): void {
    for (const { name } of lanes) this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
  }

  /** Waits until there is room and enters; at most as long, and with at most as many others, as the limits say. */
  async wait(lanes: readonly Lane[], signal?: AbortSignal): Promise<Turn> {
    if (this.hasRoom(lanes)) {
      this.enter(lanes);
      return "entered";
    }
    if (this.#waiting.size >= this.#limits.queueLength) return "queue full";
    return new Promise<Turn>((resolve) => {
      const timer = setTimeout(() => end("waited too long"), toTimerMs(this.#limits.queueWaitMs));
      const onAbort = (): void => end("gone");
      const end = (turn: Turn): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#waiting.delete(waiter);
        resolve(turn);
      };
      const waiter: Waiter = { lanes, resolve: end };
      signal?.addEventListener("abort", onAbort, { once: true });
      if (signal?.aborted === true) return end("gone");
      this.#waiting.add(waiter);
    });
  }

  leave(lanes: readonly Lane[]): void {
    for (const { name } of lanes) {
      const left = (this.#running.get(name) ?? 1) - 1;
      if (left === 0) this.#running.delete(name);
      else this.#running.set(name, left);
    }
    for (const waiter of this.#waiting) {
      if (!this.hasRoom(waiter.lanes)) continue;
      this.enter(waiter.lanes);
      waiter.resolve("entered");
    }
  }
}

/** The longest time a timer of Node waits; a longer one, and Infinity, would fire at once. */
export function toTimerMs(ms: number): number {
  return Math.min(ms, 2 ** 31 - 1);
}
