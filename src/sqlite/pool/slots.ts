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
}

/** Never are there more readers than `queries`, those that are ending counted. */
export class Slots {
  readonly #options: SlotsOptions;
  readonly #readers = new Set<ReaderProcess>();
  readonly #idle: ReaderProcess[] = [];
  readonly #waiting: PromiseWithResolvers<ReaderProcess>[] = [];
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
    if (this.#isClosed) throw isClosedHere();
    if (signal?.aborted === true) throw neverBegan(signal);
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    const { queries, queue } = this.#options.limits;
    if (this.#readers.size < queries) return this.#add();
    if (this.#waiting.length >= queue)
      throw new QueryError("queue-full", `${queue} queries wait already, and no more may`, {
        retryAfterMs: 1_000,
      });
    return this.#wait(signal);
  }

  release(reader: ReaderProcess): void {
    if (!reader.isUsable) return; // its end brings another
    if (this.#isClosed) return;
    if (reader.isSpent || reader.busyMs > maxBusyMs) {
      reader.kill();
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(reader);
    else next.resolve(reader);
  }

  /** Ends all readers; who waits for one, or for its reply, is told. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(isClosedHere());
    for (const reader of this.#readers) reader.kill(isClosedHere());
    await Promise.all([...this.#readers].map((reader) => reader.exited));
  }

  #add(): ReaderProcess {
    const reader = this.#options.start();
    this.#readers.add(reader);
    void reader.exited.then((what) => {
      this.#replace(reader, what);
    });
    return reader;
  }

  #replace(reader: ReaderProcess, what: string): void {
    this.#readers.delete(reader);
    const at = this.#idle.indexOf(reader);
    if (at !== -1) this.#idle.splice(at, 1);
    if (this.#isClosed) return;
    if (!reader.wasKilled) this.#options.onDeath(reader, what);
    // One that never came up is tried again only for somebody who waits: it would not come up for ever.
    if (!reader.hasBeenReady && this.#waiting.length === 0) return;
    try {
      this.release(this.#add());
    } catch (thrown) {
      for (const waiting of this.#waiting.splice(0)) waiting.reject(thrown);
    }
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

function isClosedHere(): QueryError {
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
