/** A transport over any two byte streams: a process's standard streams, a socket, a pipe in memory. */

import type { Readable, Writable } from "node:stream";
import type { Arrival, Outgoing } from "../protocol/index.ts";
import { ArrivalQueue } from "./arrival-queue.ts";
import { LineReader, type LineReaderOptions } from "./line-reader.ts";
import { LineWriter } from "./line-writer.ts";
import type { Transport } from "./transport.ts";

export interface StreamTransportOptions extends LineReaderOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The output's own `write`, where `output.write` has been turned away (see `stdout-guard.ts`). */
  readonly write?: Writable["write"];
}

export class StreamTransport implements Transport {
  readonly incoming: AsyncIterable<readonly Arrival[]>;
  readonly #queue: ArrivalQueue<readonly Arrival[]>;
  readonly #writer: LineWriter;
  readonly #output: Writable;

  constructor({ input, output, write, ...limits }: StreamTransportOptions) {
    const reader = new LineReader(limits);
    const queue = new ArrivalQueue<readonly Arrival[]>(input);
    this.incoming = queue;
    this.#queue = queue;
    this.#output = output;
    this.#writer = new LineWriter(output, { onBroken: () => queue.end() }, write);
    const finish = (): void => {
      const rest = reader.end();
      if (rest.length > 0) queue.push(rest);
      queue.end();
    };
    input.on("data", (piece: Buffer) => {
      const arrivals = reader.read(piece);
      if (arrivals.length > 0) queue.push(arrivals);
    });
    input.on("end", finish);
    input.on("error", finish);
    input.on("close", finish);
  }

  send(message: Outgoing): void {
    this.#writer.send(message);
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
    this.#output.end();
  }
}
