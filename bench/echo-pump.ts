/**
 * Keeps a number of echo calls in flight for several times less work than any server has with them.
 *
 * Requests and the replies expected to them are bytes made beforehand, in two rings of lines: only the digits of the id change.
 * A reply is right when it is, byte by byte, the line in the ring that its id leads to.
 */

import { ask } from "./ask.ts";
import { firstId, readId, writeId } from "./digits.ts";
import { echoRequest, encode, shortText, type Revision } from "./messages.ts";
import type { Subject } from "./process.ts";

const lineCount = 1024;

export class EchoPump {
  readonly #server: Subject;
  readonly #requests: LineRing;
  readonly #replies: LineRing;
  readonly #isWaiting = new Uint8Array(lineCount);
  #nextId = firstId;
  #sent = 0;
  #answered = 0;
  /** Calls that may still be sent. */
  #left = 0;
  #rest: Buffer = Buffer.alloc(0);
  #finish: (() => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;

  private constructor(server: Subject, request: Buffer, reply: Buffer) {
    this.#server = server;
    this.#requests = new LineRing(request);
    this.#replies = new LineRing(reply);
    server.stdout.on("data", (chunk: Buffer) => {
      try {
        this.#receive(chunk);
      } catch (error) {
        this.#fail?.(error);
      }
    });
  }

  /** Learns from one reply what all of them must look like. The server must be open. */
  static async create(server: Subject, revision: Revision): Promise<EchoPump> {
    const request = echoRequest(firstId, revision, shortText);
    const { line } = await ask(server, request);
    return new EchoPump(server, Buffer.from(encode(request)), line);
  }

  get answered(): number {
    return this.#answered;
  }

  /** Keeps this many calls in flight; resolves when the last one is answered. Rejects on the first wrong reply. */
  run(flight: number, calls = Number.POSITIVE_INFINITY): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#finish = resolve;
    this.#fail = reject;
    this.#left = calls;
    this.#send(flight);
    return this.#server.orFail(promise);
  }

  /** Sends no more. */
  stop(): void {
    this.#left = 0;
  }

  #send(wanted: number): void {
    let count = Math.min(wanted, this.#left);
    this.#left -= count;
    while (count > 0) {
      const from = this.#nextId % lineCount;
      const to = Math.min(from + count, lineCount);
      for (let slot = from; slot < to; slot += 1) this.#prepare(slot);
      this.#server.stdin.write(this.#requests.lines(from, to));
      this.#sent += to - from;
      count -= to - from;
    }
  }

  #prepare(slot: number): void {
    if (this.#isWaiting[slot] === 1)
      throw new Error(`A call is unanswered while ${lineCount} others were made`);
    this.#isWaiting[slot] = 1;
    this.#requests.writeId(slot, this.#nextId);
    this.#replies.writeId(slot, this.#nextId);
    this.#nextId += 1;
  }

  #receive(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const { length } = this.#replies;
    const count = Math.floor(bytes.length / length);
    for (let i = 0; i < count; i += 1) this.#check(bytes, i * length);
    this.#rest = bytes.subarray(count * length);
    this.#answered += count;
    this.#send(count);
    if (this.#left === 0 && this.#answered === this.#sent) this.#finish?.();
  }

  #check(bytes: Buffer, from: number): void {
    const slot = this.#replies.readId(bytes, from) % lineCount;
    if (this.#isWaiting[slot] === 1 && this.#replies.isLine(slot, bytes, from)) {
      this.#isWaiting[slot] = 0;
      return;
    }
    const shown = bytes.toString("utf8", from, from + 2 * this.#replies.length);
    throw new Error(`Wrong reply: ${shown}`);
  }
}

/** Copies of one line side by side, each with an id of its own at the same place. */
class LineRing {
  readonly length: number;
  readonly #bytes: Buffer;
  readonly #idAt: number;

  constructor(line: Buffer) {
    this.length = line.length;
    this.#idAt = line.indexOf(String(firstId));
    this.#bytes = Buffer.alloc(line.length * lineCount, line);
  }

  lines(from: number, to: number): Buffer {
    return this.#bytes.subarray(from * this.length, to * this.length);
  }

  writeId(slot: number, id: number): void {
    writeId(this.#bytes, slot * this.length + this.#idAt, id);
  }

  readId(bytes: Buffer, from: number): number {
    return readId(bytes, from + this.#idAt);
  }

  isLine(slot: number, bytes: Buffer, from: number): boolean {
    const line = slot * this.length;
    return this.#bytes.compare(bytes, from, from + this.length, line, line + this.length) === 0;
  }
}
