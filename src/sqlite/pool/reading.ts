/** One read: a reader of its own, and one state of the database for all that is asked. */

import { UsageError } from "../../protocol/index.ts";
import type { Reply, Request, Source } from "../reader/request.ts";
import type { Answerer } from "./answerer.ts";
import type { Lease } from "./generations.ts";

export type ReaderProcess = Answerer<Request, Reply>;

/** Asks the reader, in its turn. */
export type Send = (toRequest: (source: Source) => Request, deadlineMs: number) => Promise<Reply>;

export class Reading {
  readonly #reader: ReaderProcess;
  readonly #lease: Lease;
  readonly #signal: AbortSignal | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isFirst = true;
  #hasEnded = false;
  #changed: "before" | "after" | undefined;

  constructor(reader: ReaderProcess, lease: Lease, signal: AbortSignal | undefined) {
    this.#reader = reader;
    this.#lease = lease;
    this.#signal = signal;
  }

  /** When the owner's file was seen to have changed: what was read is worth nothing then. */
  get changed(): "before" | "after" | undefined {
    return this.#changed;
  }

  readonly send: Send = (toRequest, deadlineMs) => {
    const turn = this.#last.then(() => this.#ask(toRequest, deadlineMs));
    this.#last = turn.catch(() => {}); // whoever asked is told
    return turn;
  };

  /** Resolves when nothing is asked any more, and nothing more can be. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#last;
  }

  async #ask(toRequest: (source: Source) => Request, deadlineMs: number): Promise<Reply> {
    if (this.#hasEnded || this.#changed !== undefined)
      throw new UsageError("read-ended", "Cannot ask: the read is over");
    const { id, file, way, owner } = this.#lease.generation;
    const checks = { before: this.#isFirst && !this.#lease.isFresh, after: way === "in-place" };
    this.#isFirst = false;
    const request = toRequest({ generation: id, file, owner, checks });
    const reply = await this.#reader.ask(request, { deadlineMs, signal: this.#signal });
    if (reply.kind === "changed") this.#changed = reply.when;
    return reply;
  }
}
