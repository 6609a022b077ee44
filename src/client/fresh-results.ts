/** Keeps results for as long as the server says they are fresh, or until it says that they have changed. */

import type { Change, JsonObject } from "../protocol/index.ts";
import { weigh } from "./weigh.ts";

/** How many results are kept, the newest: it bounds the memory, whatever a server calls fresh. */
export const maxFreshResults = 1_000;

/** How much they may weigh together: a result may be as long as a line may be. */
export const maxFreshBytes = 64 * 1024 * 1024;

interface Kept {
  readonly method: string;
  readonly result: JsonObject;
  readonly bytes: number;
  /** By the clock of `performance.now()`. */
  readonly freshUntil: number;
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching */
export class FreshResults {
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  #generation = 0;

  /** Changes with every invalidation: an answer asked for before one must not be kept after it. */
  get generation(): number {
    return this.#generation;
  }

  /** @param about the parameter that the result depends on: a cursor or a URI */
  find(method: string, about: string | undefined): JsonObject | undefined {
    const key = keyOf(method, about);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (performance.now() < kept.freshUntil) return kept.result;
    this.#drop(key);
    return undefined;
  }

  /** Keeps a result that its `ttlMs` calls fresh. */
  keep(method: string, about: string | undefined, result: JsonObject, generation: number): void {
    const { ttlMs } = result;
    if (typeof ttlMs !== "number" || !(ttlMs > 0) || generation !== this.#generation) return;
    const key = keyOf(method, about);
    this.#drop(key);
    const bytes = key.length + weigh(result, maxFreshBytes);
    if (bytes > maxFreshBytes) return;
    this.#kept.set(key, { method, result, bytes, freshUntil: performance.now() + ttlMs });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxFreshResults && this.#bytes <= maxFreshBytes) return;
      this.#drop(oldest);
    }
  }

  takeChange({ kind }: Change): void {
    switch (kind) {
      case "tools":
        return this.#forget("tools/list");
      case "prompts":
        return this.#forget("prompts/list");
      case "resources":
        return this.#forget("resources/list", "resources/templates/list", "resources/read");
      case "resource":
        return this.#forget("resources/read"); // the URI may be that of a part of what was read
    }
  }

  #forget(...methods: readonly string[]): void {
    this.#generation++;
    for (const [key, { method }] of this.#kept) if (methods.includes(method)) this.#drop(key);
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

function keyOf(method: string, about: string | undefined): string {
  return about === undefined ? method : `${method} ${about}`;
}
