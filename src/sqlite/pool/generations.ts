/** The states of the database that are or were read: which is the newest, and who still reads an older one. */

import { rm } from "node:fs/promises";
import { isSettled } from "../file/fingerprint.ts";
import type { Found } from "../scout/request.ts";

/** One state of the database, to be read from one file. */
export interface Generation extends Found {
  readonly id: number;
  /** When the look for it began: nothing that was committed before is missing in it. */
  readonly began: number;
  /** Whether its fingerprint can be told from that of the next state: not if it was taken in the very moment of a change. */
  readonly isSettled: boolean;
}

export interface Lease extends Disposable {
  readonly generation: Generation;
  /** Whether it is certain to hold all that was committed before the read began. */
  readonly isFresh: boolean;
}

export interface GenerationsOptions {
  /** Looks for a state; `copies`: only a private copy will do. */
  readonly look: (copies: boolean) => Promise<Found>;
  /** Is told when nobody reads a state any more; its copy, if it is one, is removed then. */
  readonly onOver: (generation: Generation) => void;
}

export class Generations {
  readonly #options: GenerationsOptions;
  readonly #readers = new Map<Generation, number>();
  #current: Generation | undefined;
  #looking: Promise<void> | undefined;
  #lastId = 0;

  constructor(options: GenerationsOptions) {
    this.#options = options;
  }

  /**
   * Gives a state for a read that began at `since`, and looks for a new one where none will do. Reads that wait share one look.
   *
   * Throws what the look throws.
   */
  async lease(since: number, copies: boolean): Promise<Lease> {
    for (;;) {
      const lease = this.leaseNow(since, copies);
      if (lease !== undefined) return lease;
      await (this.#looking ??= this.#look(copies));
    }
  }

  /** The same where the newest state will do, as it does while nobody writes. */
  leaseNow(since: number, copies: boolean): Lease | undefined {
    const current = this.#current;
    if (current === undefined || !isFit(current, since, copies)) return undefined;
    return this.#lend(current, since);
  }

  /** The owner's file is not in this state any more. */
  supersede(generation: Generation): void {
    if (this.#current === generation) this.#current = undefined;
    this.#dropIfOver(generation);
  }

  async #look(copies: boolean): Promise<void> {
    const began = performance.now();
    try {
      const found = await this.#options.look(copies);
      const old = this.#current;
      this.#current = {
        ...found,
        id: ++this.#lastId,
        began,
        isSettled: isSettled(found.owner.fingerprint),
      };
      if (old !== undefined) this.#dropIfOver(old);
    } finally {
      this.#looking = undefined;
    }
  }

  #lend(generation: Generation, since: number): Lease {
    this.#readers.set(generation, (this.#readers.get(generation) ?? 0) + 1);
    let isHeld = true;
    return {
      generation,
      isFresh: generation.began >= since,
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#readers.set(generation, (this.#readers.get(generation) ?? 1) - 1);
        this.#dropIfOver(generation);
      },
    };
  }

  #dropIfOver(generation: Generation): void {
    if (generation === this.#current || (this.#readers.get(generation) ?? 0) > 0) return;
    this.#readers.delete(generation);
    this.#options.onOver(generation);
    if (generation.way !== "copy") return;
    void rm(generation.file, { force: true }).catch(() => {}); // the folder goes at the end, with all that is in it
  }
}

function isFit(generation: Generation, since: number, copies: boolean): boolean {
  const { began, way } = generation;
  return began >= since ? way === "copy" || !copies : generation.isSettled && !copies;
}
