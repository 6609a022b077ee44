/** Writes messages as lines: all of one turn in one write, and a word to the sender when the peer is slow. */

import type { Writable } from "node:stream";
import { encodeMessage, type Outgoing } from "../protocol/index.ts";

/** Unsent bytes at which `drained()` asks the sender to wait: one full pipe more than the kernel holds. */
const backlogBytes = 256 * 1024;

/** What one write may hold, in characters: two large results of one turn would not fit into one string. */
const maxWriteLength = 64 * 1024 * 1024;

export interface LineWriterOptions {
  /** Called once, when the peer can no longer be written to, with the time since which all that was sent is lost. */
  readonly onBroken?: (lostSince: number) => void;
  /** Sees what is about to be written: one or more whole lines. */
  readonly onWrite?: (lines: string) => void;
}

export class LineWriter {
  readonly #stream: Writable;
  readonly #write: Writable["write"];
  readonly #end: () => void;
  readonly #onWrite: LineWriterOptions["onWrite"];
  #lines = "";
  #isScheduled = false;
  #isClosed = false;
  /** When the last write was made, and the one before it. */
  #wroteAt = 0;
  #wroteBefore = 0;
  #draining: Promise<void> | undefined;

  /** @param write the stream's own `write`, as `end` its own, for a stream whose methods others must not reach */
  constructor(
    stream: Writable,
    options: LineWriterOptions = {},
    write: Writable["write"] = stream.write.bind(stream),
    end: () => void = stream.end.bind(stream),
  ) {
    this.#stream = stream;
    this.#write = write;
    this.#end = end;
    this.#onWrite = options.onWrite;
    for (const event of ["error", "close"]) stream.on(event, () => this.#break(options));
  }

  /** Encodes at once, so that what cannot be encoded throws here, and writes at the end of this turn. */
  send(message: Outgoing): void {
    if (this.#isClosed) return;
    const line = encodeMessage(message);
    if (this.#lines.length + line.length > maxWriteLength) this.#flush();
    this.#lines += line;
    this.#lines += "\n";
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#flush);
  }

  /** What was sent and the peer has not taken, in bytes. */
  get backlog(): number {
    return this.#stream.writableLength + this.#lines.length;
  }

  /** Gives a promise that resolves when the peer has taken the backlog, or `undefined` when there is none worth waiting for. */
  drained(): Promise<void> | undefined {
    if (this.#isClosed || this.backlog < backlogBytes) return undefined;
    this.#flush();
    if (!this.#stream.writableNeedDrain) return undefined; // taken at once, or a stream that holds more than this backlog
    this.#draining ??= this.#settles("drain").finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  /** Resolves when everything sent has been handed to the operating system, or the peer is gone. */
  async flushed(): Promise<void> {
    this.#flush();
    if (this.#isClosed) return;
    await this.#settles(undefined, (done) => this.#write("", done));
  }

  /** Writes what is queued, then ends the stream; what is sent after that is dropped. */
  end(): void {
    this.#flush();
    this.#isClosed = true;
    this.#end();
  }

  readonly #flush = (): void => {
    this.#isScheduled = false;
    const lines = this.#lines;
    if (lines === "") return;
    this.#lines = "";
    if (this.#isClosed) return;
    this.#onWrite?.(lines);
    this.#wroteBefore = this.#wroteAt;
    this.#wroteAt = performance.now();
    this.#write(lines);
  };

  /** Resolves at the event, when `begin` is done, or when the peer is gone; leaves no listener behind. */
  #settles(event: string | undefined, begin?: (done: () => void) => void): Promise<void> {
    const events = ["close", "error", ...(event === undefined ? [] : [event])];
    return new Promise((resolve) => {
      const settle = (): void => {
        for (const name of events) this.#stream.off(name, settle);
        resolve();
      };
      for (const name of events) this.#stream.on(name, settle);
      begin?.(settle);
    });
  }

  #break({ onBroken }: LineWriterOptions): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#lines = "";
    onBroken?.(this.#wroteBefore);
  }
}
