/** The readers there are, and the line of those who wait for one. */

import { QueryError } from "../query-error.ts";
import type { SqliteLimits } from "../limits.ts";
import { readerCpuSeconds } from "./launch.ts";
import type { ReaderProcess } from "./reader-process.ts";

/** Never more readers than `queries`, those that are dying counted. */
export class Slots {
  readonly #limits: SqliteLimits;
  readonly #start: () => ReaderProcess;
  readonly #readers = new Set<ReaderProcess>();
  readonly #idle: ReaderProcess[] = [];
  readonly #waiting: ((reader: ReaderProcess) => void)[] = [];
  #isClosed = false;

  constructor(limits: SqliteLimits, start: () => ReaderProcess) {
    this.#limits = limits;
    this.#start = start;
    this.#idle.push(this.#add());
  }

  /** Gives a reader that nobody else has until it is released. Throws a `QueryError`. */
  async acquire(signal: AbortSignal | undefined): Promise<ReaderProcess> {
    if (this.#isClosed) throw closed();
    const idle = this.#takeIdle();
    if (idle !== undefined) return idle;
    if (this.#readers.size < this.#limits.queries) return this.#add();
    if (this.#waiting.length >= this.#limits.queue)
      throw new QueryError(
        "queue-full",
        `${this.#limits.queue} queries are waiting already, and no more may`,
        { retryAfterMs: 1_000 },
      );
    return this.#wait(signal);
  }

  release(reader: ReaderProcess): void {
    if (!reader.isUsable) return; // its end brings another
    if (this.#isClosed || reader.busyMs > readerCpuSeconds * 500) {
      void reader.close();
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(reader);
    else next(reader);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#readers].map((reader) => reader.close()));
  }

  #takeIdle(): ReaderProcess | undefined {
    for (let reader = this.#idle.pop(); reader !== undefined; reader = this.#idle.pop())
      if (reader.isUsable) return reader;
    return undefined;
  }

  #add(): ReaderProcess {
    const reader = this.#start();
    this.#readers.add(reader);
    void reader.exited.then(() => {
      this.#replace(reader);
    });
    return reader;
  }

  /** One that never came up is not tried again until somebody asks. */
  #replace(reader: ReaderProcess): void {
    this.#readers.delete(reader);
    const at = this.#idle.indexOf(reader);
    if (at !== -1) this.#idle.splice(at, 1);
    if (this.#isClosed) return;
    if (reader.hasBeenReady || this.#waiting.length > 0) this.release(this.#add());
  }

  async #wait(signal: AbortSignal | undefined): Promise<ReaderProcess> {
    const { promise, resolve, reject } = Promise.withResolvers<ReaderProcess>();
    const leave = (error: QueryError): void => {
      const at = this.#waiting.indexOf(resolve);
      if (at !== -1) this.#waiting.splice(at, 1);
      reject(error);
    };
    const onAbort = (): void => {
      leave(new QueryError("cancelled", "The query was stopped before it began"));
    };
    const timer = setTimeout(() => {
      const ms = this.#limits.queueWaitMs;
      leave(
        new QueryError("queue-wait", `No reader of the database was free within ${ms} ms`, {
          retryAfterMs: 1_000,
        }),
      );
    }, this.#limits.queueWaitMs);
    this.#waiting.push(resolve);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }
}

function closed(): QueryError {
  return new QueryError("database-unavailable", "The database is closed here");
}
