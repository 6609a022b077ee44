/** A transport over any two byte streams: a process's standard streams, a socket, a pipe in memory. */

import type { Readable, Writable } from "node:stream";
import type { Arrival, Outgoing } from "../protocol/index.ts";
import { ArrivalQueue } from "./arrival-queue.ts";
import { defaultMaxLineBytes, LineReader, type LineReaderOptions } from "./line-reader.ts";
import { LineTap, type LineObserver } from "./line-tap.ts";
import { LineWriter } from "./line-writer.ts";
import type { Transport } from "./transport.ts";

export interface StreamTransportOptions extends LineReaderOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The output's own `write`, where `output.write` has been turned away (see `stdout-guard.ts`). */
  readonly write?: Writable["write"];
  /** As `write`: the output's own `end`. */
  readonly end?: () => void;
  /** Whether reading goes on when the output has broken: what a dying process said last still counts. */
  readonly readsOn?: boolean;
}

export class StreamTransport implements Transport {
  readonly incoming: AsyncIterable<readonly Arrival[]>;
  readonly broken: Promise<number>;
  readonly #queue: ArrivalQueue<readonly Arrival[]>;
  readonly #writer: LineWriter;
  readonly #maxLineBytes: number;
  #sent: LineTap | undefined;
  #received: LineTap | undefined;

  constructor({ input, output, write, end, readsOn = false, ...limits }: StreamTransportOptions) {
    const reader = new LineReader(limits);
    const queue = new ArrivalQueue<readonly Arrival[]>(input);
    this.incoming = queue;
    this.#queue = queue;
    this.#maxLineBytes = limits.maxLineBytes ?? defaultMaxLineBytes;
    const { promise: broken, resolve: noteBroken } = Promise.withResolvers<number>();
    this.broken = broken;
    const onBroken = (lostSince: number): void => {
      if (readsOn) noteBroken(lostSince);
      else queue.end();
    };
    const onWrite = (lines: string): void => this.#sent?.pass(Buffer.from(lines));
    this.#writer = new LineWriter(output, { onBroken, onWrite }, write, end);
    const finish = (): void => {
      this.#received?.end();
      const rest = reader.end();
      if (rest.length > 0) queue.push(rest);
      queue.end();
    };
    input.on("data", (piece: Buffer) => {
      this.#received?.pass(piece);
      const arrivals = reader.read(piece);
      if (arrivals.length > 0) queue.push(arrivals);
    });
    input.on("end", finish);
    input.on("error", finish);
    input.on("close", finish);
  }

  /** Shows every line from now on, as the exact bytes that pass in either direction. */
  observe(observer: LineObserver): void {
    this.#sent = new LineTap("sent", observer, this.#maxLineBytes);
    this.#received = new LineTap("received", observer, this.#maxLineBytes);
  }

  send(message: Outgoing): void {
    this.#writer.send(message);
  }

  get backlog(): number {
    return this.#writer.backlog;
  }

  drained(): Promise<void> | undefined {
    return this.#writer.drained();
  }

  /** Resolves when all that was sent has been handed over. */
  flushed(): Promise<void> {
    return this.#writer.flushed();
  }

  async close(): Promise<void> {
    await this.#writer.flushed();
    this.#queue.end();
    this.#writer.end();
  }
}
