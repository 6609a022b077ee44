/** The readers there are, and the line of those who wait for one. */

import type { SqliteLimits } from "../limits.ts";
import { QueryError } from "../query-error.ts";
import { readerCpuSeconds } from "../reader/layers.ts";
import type { ReaderProcess } from "./reading.ts";

export interface SlotsOptions {
  readonly limits: SqliteLimits;
  readonly start: () => ReaderProcess;
  /** Is told of a reader that ended though nobody ended it. */
  readonly onDeath: (reader: ReaderProcess, what: string) => void;
  /** How long readers stay that nobody needs; default 30 000. */
  readonly restMs?: number;
}

/** Never are there more readers than `queries`, those that are ending counted. */
export class Slots {
  readonly #options: SlotsOptions;
  readonly #readers = new Set<ReaderProcess>();
  readonly #idle: ReaderProcess[] = [];
  readonly #waiting: PromiseWithResolvers<ReaderProcess>[] = [];
  readonly #lent = new Set<ReaderProcess>();
  /** Runs from when a reader was lent: if it still is when this ends, it may have to be killed, and the next one is made ready. */
  readonly #long = new WeakMap<ReaderProcess, NodeJS.Timeout>();
  /** Those that end because there are others. */
  readonly #unneeded = new Set<ReaderProcess>();
  #resting: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SlotsOptions) {
    this.#options = options;
    this.#idle.push(this.#add());
  }

  /** Those that nobody has just now. */
  get idle(): readonly ReaderProcess[] {
    return this.#idle;
  }

  /** Gives a reader that nobody else has until it is released. Throws a `QueryError`. */
  async acquire(signal: AbortSignal | undefined): Promise<ReaderProcess> {
    if (this.#isClosed) throw closedHere();
    if (signal?.aborted === true) throw neverBegan(signal);
    const idle = this.#idle.pop();
    if (idle !== undefined) return this.#lend(idle);
    const { queries, queue } = this.#options.limits;
    if (this.#readers.size < queries) return this.#lend(this.#add());
    if (this.#waiting.length >= queue)
      throw new QueryError("queue-full", `${queue} queries wait already, and no more may`, {
        retryAfterMs: 1_000,
      });
    return this.#lend(await this.#wait(signal));
  }

  release(reader: ReaderProcess): void {
    this.#lent.delete(reader);
    if (!reader.isUsable || this.#isClosed) return; // its end brings another
    if (reader.isSpent || reader.busyMs > maxBusyMs) reader.kill();
    else this.#give(reader);
  }

  /** Ends all readers; who waits for one, or for its reply, is told. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#resting);
    this.#lent.clear();
    for (const waiting of this.#waiting.splice(0)) waiting.reject(closedHere());
    for (const reader of this.#readers) reader.kill(closedHere());
    await Promise.all([...this.#readers].map((reader) => reader.exited));
  }

  #lend(reader: ReaderProcess): ReaderProcess {
    this.#lent.add(reader);
    const known = this.#long.get(reader);
    if (known !== undefined) known.refresh();
    else this.#long.set(reader, setTimeout(() => this.#onLong(reader), longMs).unref());
    return reader;
  }

  #onLong(reader: ReaderProcess): void {
    if (this.#lent.has(reader) && this.#idle.length === 0) this.#addIdle();
  }

  #give(reader: ReaderProcess): void {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next.resolve(reader);
      return;
    }
    this.#idle.push(reader);
    if (this.#resting !== undefined) this.#resting.refresh();
    else
      this.#resting = setTimeout(() => {
        this.#thinOut();
      }, this.#options.restMs ?? restMs).unref();
  }

  /** Ends all idle readers but the one that was used last. */
  #thinOut(): void {
    for (const reader of this.#idle.splice(0, this.#idle.length - 1)) {
      this.#unneeded.add(reader);
      reader.kill();
    }
  }

  #add(): ReaderProcess {
    const reader = this.#options.start();
    this.#readers.add(reader);
    void reader.exited.then((what) => {
      this.#onExit(reader, what);
    });
    return reader;
  }

  #addIdle(): void {
    if (this.#isClosed || this.#readers.size >= this.#options.limits.queries) return;
    try {
      this.#give(this.#add());
    } catch (thrown) {
      for (const waiting of this.#waiting.splice(0)) waiting.reject(thrown);
    }
  }

  #onExit(reader: ReaderProcess, what: string): void {
    this.#readers.delete(reader);
    const at = this.#idle.indexOf(reader);
    if (at !== -1) this.#idle.splice(at, 1);
    if (!reader.wasKilled) this.#options.onDeath(reader, what);
    if (this.#unneeded.delete(reader) && this.#waiting.length === 0) return;
    // One that never came up is tried again only for somebody who waits: it would not come up for ever.
    if (reader.hasBeenReady || this.#waiting.length > 0) this.#addIdle();
  }

  async #wait(signal: AbortSignal | undefined): Promise<ReaderProcess> {
    const waiting = Promise.withResolvers<ReaderProcess>();
    const leave = (error: QueryError): void => {
      const at = this.#waiting.indexOf(waiting);
      if (at !== -1) this.#waiting.splice(at, 1);
      waiting.reject(error);
    };
    const onAbort = (): void => {
      leave(neverBegan(signal));
    };
    const { queueWaitMs } = this.#options.limits;
    const timer = setTimeout(() => {
      leave(waitedTooLong(queueWaitMs));
    }, queueWaitMs);
    this.#waiting.push(waiting);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }
}

/** Half of what the system lets it have, so that no query is ended by that. */
const maxBusyMs = (readerCpuSeconds / 2) * 1_000;
/** After so long a query may well be one that is killed: whoever asks next has no start to wait for. */
const longMs = 100;
/** Stops the readers of one busy moment from holding their memory for ever. */
const restMs = 30_000;

function closedHere(): QueryError {
  return new QueryError("database-unavailable", "The database is closed");
}

function neverBegan(signal: AbortSignal | undefined): QueryError {
  return new QueryError("cancelled", "The query never began: nobody waits for its answer", {
    cause: signal?.reason,
  });
}

function waitedTooLong(ms: number): QueryError {
  return new QueryError("queue-wait", `The query never began: no reader was free within ${ms} ms`, {
    retryAfterMs: 1_000,
  });
}
