/** A database that is read by a pool of processes. */

import { rmSync } from "node:fs";
import type {
  Ask,
  Database,
  Examination,
  ExamineOptions,
  ReadOptions,
  Schema,
} from "../database.ts";
import { DatabaseRefusal } from "../file/refusals.ts";
import type { SqliteLimits } from "../limits.ts";
import { QueryError } from "../query-error.ts";
import type { Query } from "../query.ts";
import type { Reply } from "../reader/request.ts";
import { cancelled } from "./answerer.ts";
import { bindQuery } from "./bind.ts";
import { cleanAnswer, cleanExamination, cleanSchema } from "./clean.ts";
import { explainFailure } from "./explain-failure.ts";
import { Generations, type Generation, type Lease } from "./generations.ts";
import { Reading, type ReaderProcess, type Send } from "./reading.ts";
import { Scout, type ScoutProcess } from "./scout.ts";
import { Slots } from "./slots.ts";

export interface PoolOptions {
  readonly path: string;
  readonly root: string | undefined;
  readonly limits: SqliteLimits;
  /** Where private copies go, while there are any. */
  readonly folder: string;
  readonly startReader: () => ReaderProcess;
  readonly startScout: () => ScoutProcess;
  readonly report: (text: string) => void;
}

export class Pool implements Database {
  readonly limits: SqliteLimits;
  readonly #options: PoolOptions;
  readonly #slots: Slots;
  readonly #scout: Scout;
  readonly #generations: Generations;
  /** The one that was found last: what the database is told to be. */
  #last: Generation | undefined;

  constructor(options: PoolOptions) {
    const { path, root, limits, report } = options;
    this.limits = limits;
    this.#options = options;
    this.#scout = new Scout(options.startScout);
    this.#slots = new Slots({
      limits,
      start: options.startReader,
      onDeath: ({ lastWords }, what) => {
        report(
          `A reader of ${JSON.stringify(path)} died (${what}) and was replaced ${lastWords}`.trim(),
        );
      },
    });
    const { databaseBytes, queueWaitMs: budgetMs } = limits;
    this.#generations = new Generations({
      look: (copies) =>
        this.#scout.look({ kind: "look", path, root, databaseBytes, budgetMs, copies }),
      onOver: ({ id: generation }) => {
        for (const reader of this.#slots.idle) reader.tell({ kind: "release", generation });
      },
    });
  }

  get path(): string {
    return this.#last?.owner.real ?? this.#options.path;
  }

  get way(): "in-place" | "copy" {
    return this.#last?.way ?? "in-place";
  }

  /** Makes sure that there is a database. Throws a `DatabaseRefusal`. */
  async open(): Promise<void> {
    using lease = await this.#generations.lease(performance.now(), false);
    this.#last = lease.generation;
    await this.describe();
  }

  async read<Result>(
    work: (ask: Ask) => Promise<Result>,
    options: ReadOptions = {},
  ): Promise<Result> {
    return this.#hold((send) => work((query) => this.#ask(query, send)), options.signal);
  }

  async describe(options: ReadOptions = {}): Promise<Schema> {
    const deadlineMs = this.limits.queryMs;
    return this.#hold(async (send) => {
      const reply = await send({ kind: "describe" }, deadlineMs);
      if (reply.kind === "schema") return cleanSchema(reply);
      throw this.#explain(reply, "");
    }, options.signal);
  }

  async examine(sql: string, options: ExamineOptions = {}): Promise<Examination> {
    const { masked = [] } = options;
    const deadlineMs = this.limits.queryMs;
    return this.#hold(async (send) => {
      const reply = await send({ kind: "examine", sql, masked }, deadlineMs);
      if (reply.kind === "examination") return cleanExamination(reply);
      throw this.#explain(reply, sql);
    }, options.signal);
  }

  /** Kills what runs, ends all processes and removes what is left of private copies. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#slots.close(), this.#scout.close()]);
    rmSync(this.#options.folder, { recursive: true, force: true });
  }

  async #ask(query: Query, send: Send): ReturnType<Ask> {
    const deadlineMs = Math.min(query.deadlineMs ?? this.limits.queryMs, this.limits.queryMs);
    const reply = await send({ kind: "query", ...bindQuery(query) }, deadlineMs);
    if (reply.kind === "answer") return cleanAnswer(reply);
    throw this.#explain(reply, query.sql);
  }

  #explain(reply: Reply, sql: string): QueryError {
    if (reply.kind === "failed") return explainFailure(reply.failure, sql, this.limits.cellBytes);
    return new QueryError("busy", "The database changed while it was read");
  }

  /** A look is shared, so it goes on when one of those who wait for it goes away. */
  async #lease(since: number, copies: boolean, signal: AbortSignal | undefined): Promise<Lease> {
    const leasing = this.#generations.lease(since, copies).then((lease) => {
      this.#last = lease.generation;
      return lease;
    }, rethrowAsQueryError);
    if (signal === undefined) return leasing;
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => {
      aborted.reject(cancelled(signal));
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      return await Promise.race([leasing, aborted.promise]);
    } catch (thrown) {
      void leasing.then(
        (lease) => {
          lease[Symbol.dispose]();
        },
        () => {}, // nobody waits any more
      );
      throw thrown;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /**
   * Holds one reader and one state of the database for all that `work` asks. Where the owner's file changes meanwhile, `work`
   * begins anew; a copy, which does not change, ends that.
   */
  async #hold<Result>(
    work: (send: Send) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const since = performance.now();
    const reader = await this.#slots.acquire(signal);
    try {
      for (let copies = false; ;) {
        using lease: Lease =
          this.#generations.leaseNow(since, copies) ?? (await this.#lease(since, copies, signal));
        const reading = new Reading(reader, lease, signal);
        try {
          const result = await work(reading.send);
          if (!reading.hasChanged) return result;
        } catch (thrown) {
          if (!reading.hasChanged) throw thrown;
        } finally {
          await reading.end();
        }
        this.#generations.supersede(lease.generation);
        copies ||= lease.isFresh; // else it may have changed before this read began
      }
    } finally {
      this.#slots.release(reader);
    }
  }
}

/** Of a file that has been opened once, a stranger may know what has become of it, and not where it is. */
function rethrowAsQueryError(thrown: unknown): never {
  if (!(thrown instanceof DatabaseRefusal)) throw thrown;
  throw new QueryError(
    "database-unavailable",
    `The database cannot be read just now: ${thrown.what}`,
    { cause: thrown },
  );
}
