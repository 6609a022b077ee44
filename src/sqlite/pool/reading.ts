/** One read: a reader of its own, and one state of the database for all that is asked. */

import { UsageError } from "../../protocol/index.ts";
import type { BoundQuery, ReadRequest, Reply, Request } from "../reader/request.ts";
import type { Answerer } from "./answerer.ts";
import type { Lease } from "./generations.ts";
import { Told } from "./told.ts";

export type ReaderProcess = Answerer<Request, Reply>;

type Question =
  | (BoundQuery & { readonly kind: "query" })
  | { readonly kind: "describe" }
  | Pick<Extract<Request, { readonly kind: "examine" }>, "kind" | "sql" | "masked">;

/** Asks the reader, in its turn. */
export type Send = (question: Question, deadlineMs: number) => Promise<Reply>;

const toldOf = new WeakMap<ReaderProcess, Told>();

export class Reading {
  readonly #reader: ReaderProcess;
  readonly #lease: Lease;
  readonly #signal: AbortSignal | undefined;
  readonly #told: Told;
  /** Whether it has ended. */
  #last: Promise<void> | undefined;
  #isFirst = true;
  #hasEnded = false;
  #hasChanged = false;

  constructor(reader: ReaderProcess, lease: Lease, signal: AbortSignal | undefined) {
    this.#reader = reader;
    this.#lease = lease;
    this.#signal = signal;
    this.#told = toldOf.get(reader) ?? new Told();
    toldOf.set(reader, this.#told);
  }

  /** Whether the owner's file was seen to have changed: what was read is worth nothing then. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  readonly send: Send = (question, deadlineMs) => {
    const turn =
      this.#last === undefined
        ? this.#ask(question, deadlineMs)
        : this.#last.then(() => this.#ask(question, deadlineMs));
    this.#last = turn.then(ignore, ignore); // whoever asked is told
    return turn;
  };

  /** Resolves when nothing is asked any more, and nothing more can be. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#last;
  }

  async #ask(question: Question, deadlineMs: number): Promise<Reply> {
    if (this.#hasEnded || this.#hasChanged)
      throw new UsageError("read-ended", "Cannot ask: the read is over");
    const request = this.#toRequest(question, deadlineMs);
    this.#isFirst = false;
    const reply = await this.#reader.ask(request, { deadlineMs, signal: this.#signal });
    this.#told.note(request);
    if (reply.kind === "changed") this.#hasChanged = true;
    return reply;
  }

  #toRequest(question: Question, deadlineMs: number): Request {
    const { generation, isFresh } = this.#lease;
    const { id, file, way, owner } = generation;
    const checkCopy = this.#isFirst && !isFresh ? "before" : undefined;
    const reading: ReadRequest = {
      generation: id,
      source: this.#told.isReading(id) ? undefined : { file, owner },
      check: way === "in-place" ? "after" : checkCopy,
      deadlineMs,
    };
    return question.kind === "query"
      ? this.#told.toRequest(question, reading)
      : { ...question, ...reading };
  }
}

function ignore(): void {}
