/** A database that is read by a pool of processes. */

import { UsageError } from "../../protocol/index.ts";
import type { Ask, Database, Examination, ReadOptions, Schema } from "../database.ts";
import { inspectDatabase, type Inspection } from "../file/inspect.ts";
import type { SqliteLimits } from "../limits.ts";
import { QueryError } from "../query-error.ts";
import type { Query } from "../query.ts";
import type { Reply, Request, Source } from "../reader/request.ts";
import { bindQuery } from "./bind.ts";
import { cleanAnswer, cleanExamination, cleanSchema } from "./clean.ts";
import { explainFailure } from "./explain-failure.ts";
import type { ReaderProcess } from "./reader-process.ts";
import { Slots } from "./slots.ts";

export interface PoolOptions {
  readonly inspection: Inspection;
  readonly root: string | undefined;
  readonly limits: SqliteLimits;
  readonly start: () => ReaderProcess;
}

/** One thing that is asked of a reader, in its turn. */
type Send = (toRequest: (source: Source) => Request) => Promise<Reply>;

export class Pool implements Database {
  readonly path: string;
  readonly limits: SqliteLimits;
  readonly #root: string | undefined;
  readonly #slots: Slots;
  #inspection: Inspection;
  #generation = 1;

  constructor({ inspection, root, limits, start }: PoolOptions) {
    this.path = inspection.path;
    this.limits = limits;
    this.#root = root;
    this.#inspection = inspection;
    this.#slots = new Slots(limits, start);
  }

  get way(): "in-place" | "copy" {
    return this.#inspection.way;
  }

  read<Result>(work: (ask: Ask) => Promise<Result>, options: ReadOptions = {}): Promise<Result> {
    return this.#hold((send) => work((query) => this.#ask(query, send)), options.signal);
  }

  async describe(options: ReadOptions = {}): Promise<Schema> {
    const deadlineMs = this.limits.queryMs;
    return this.#hold(async (send) => {
      const reply = await send((source) => ({ kind: "describe", source, deadlineMs }));
      if (reply.kind === "schema") return cleanSchema(reply);
      throw this.#explain(reply, "");
    }, options.signal);
  }

  async examine(sql: string, options: ReadOptions = {}): Promise<Examination> {
    const deadlineMs = this.limits.queryMs;
    return this.#hold(async (send) => {
      const reply = await send((source) => ({ kind: "examine", source, sql, deadlineMs }));
      if (reply.kind === "examination") return cleanExamination(reply);
      throw this.#explain(reply, sql);
    }, options.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#slots.close();
  }

  async #ask(query: Query, send: Send): ReturnType<Ask> {
    const deadlineMs = Math.min(query.deadlineMs ?? this.limits.queryMs, this.limits.queryMs);
    const bound = bindQuery(query);
    const reply = await send((source) => ({ kind: "query", source, query: bound, deadlineMs }));
    if (reply.kind === "answer") return cleanAnswer(reply);
    throw this.#explain(reply, query.sql);
  }

  #explain(reply: Reply, sql: string): QueryError {
    if (reply.kind === "failed") return explainFailure(reply.failure, sql, this.limits.cellBytes);
    return new QueryError("busy", "The database changes faster than it can be read");
  }

  /** Holds one reader for all that `work` sends, and begins anew where the file changes meanwhile. */
  async #hold<Result>(
    work: (send: Send) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      const reader = await this.#slots.acquire(signal);
      let hasChanged = false;
      let hasEnded = false;
      let last: Promise<unknown> = Promise.resolve();
      const send: Send = (toRequest) => {
        const turn = last.then(async () => {
          if (hasEnded) throw new UsageError("read-ended", "Cannot ask: the read has ended");
          const reply = await reader.ask(toRequest(this.#source()), signal);
          if (reply.kind === "changed") hasChanged = true;
          return reply;
        });
        last = turn.catch(() => {}); // whoever asked is told
        return turn;
      };
      try {
        const result = await work(send);
        if (!hasChanged) return result;
      } catch (thrown) {
        if (!hasChanged || attempt >= maxAttempts) throw thrown;
      } finally {
        hasEnded = true;
        await last;
        this.#slots.release(reader);
      }
      await this.#renew();
    }
  }

  #source(): Source {
    const { path, fingerprint } = this.#inspection;
    return {
      generation: this.#generation,
      file: path,
      watched: path,
      fingerprint,
      checksBefore: true,
      checksAfter: true,
    };
  }

  async #renew(): Promise<void> {
    const { databaseBytes } = this.limits;
    this.#inspection = await inspectDatabase(this.path, {
      databaseBytes,
      ...(this.#root !== undefined && { root: this.#root }),
    });
    this.#generation++;
  }
}

const maxAttempts = 10;
