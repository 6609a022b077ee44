/** Cuts a stream of bytes into lines and reads each into what arrived on it. */

import { isAscii, isUtf8 } from "node:buffer";
import { createFault, excerptOf, parseLine, type Arrival, type Fault } from "../protocol/index.ts";
import { LineBuffer } from "./line-buffer.ts";
import { largeLineBytes, noteSize } from "./request-size.ts";
import { findInvalidUtf8 } from "./utf8.ts";

/** The longest line a reader takes unless told otherwise: it stops a peer from filling the memory with one message. */
export const defaultMaxLineBytes = 16 * 1024 * 1024;

export interface LineReaderOptions {
  /** The longest line in bytes, without its newline; default 16 MiB. */
  readonly maxLineBytes?: number;
}

export class LineReader {
  readonly #maxLineBytes: number;
  readonly #unfinished = new LineBuffer();
  #isSkipping = false;

  constructor({ maxLineBytes = defaultMaxLineBytes }: LineReaderOptions = {}) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** Reads one piece of the stream; lines may begin and end anywhere in it, also inside a character. */
  read(piece: Buffer): Arrival[] {
    const arrivals: Arrival[] = [];
    const start = this.#hasUnfinished() ? this.#finishLine(piece, arrivals) : 0;
    if (start === piece.length) return arrivals;
    const rest = start === 0 ? piece : piece.subarray(start);
    const end = isAscii(rest) ? this.#readAscii(rest, arrivals) : this.#readBytes(rest, arrivals);
    if (end < rest.length) this.#keep(rest.subarray(end), arrivals);
    return arrivals;
  }

  /** Reads what stands after the last newline, once the stream has ended. */
  end(): Arrival[] {
    const arrivals: Arrival[] = [];
    if (this.#unfinished.length === 0) return arrivals;
    const line = this.#unfinished.take();
    arrivals.push(unfinishedLine(line.length));
    this.#parse(line, arrivals);
    return arrivals;
  }

  #hasUnfinished(): boolean {
    return this.#isSkipping || this.#unfinished.length > 0;
  }

  /** Completes the line begun in earlier pieces, and says where the next one starts. */
  #finishLine(piece: Buffer, arrivals: Arrival[]): number {
    const newline = piece.indexOf(0x0a);
    if (newline === -1) {
      this.#keep(piece, arrivals);
      return piece.length;
    }
    this.#keep(piece.subarray(0, newline), arrivals);
    if (!this.#isSkipping) this.#parse(this.#unfinished.take(), arrivals);
    this.#isSkipping = false;
    return newline + 1;
  }

  /** The fast way: a piece without bytes above 127 is decoded once, and characters are bytes. */
  #readAscii(piece: Buffer, arrivals: Arrival[]): number {
    const text = piece.toString("latin1");
    let start = 0;
    for (let newline = text.indexOf("\n"); newline !== -1; newline = text.indexOf("\n", start)) {
      if (newline - start > this.#maxLineBytes) arrivals.push(this.#lineTooLong());
      else parseLine(text.slice(start, newline), arrivals);
      if (newline - start >= largeLineBytes) noteSize(arrivals, newline - start);
      start = newline + 1;
    }
    return start;
  }

  #readBytes(piece: Buffer, arrivals: Arrival[]): number {
    let start = 0;
    for (let newline = piece.indexOf(0x0a); newline !== -1; newline = piece.indexOf(0x0a, start)) {
      if (newline - start > this.#maxLineBytes) arrivals.push(this.#lineTooLong());
      else this.#parse(piece.subarray(start, newline), arrivals);
      start = newline + 1;
    }
    return start;
  }

  #parse(line: Buffer, arrivals: Arrival[]): void {
    if (isAscii(line)) parseLine(line.toString("latin1"), arrivals);
    else if (isUtf8(line)) parseLine(line.toString(), arrivals);
    else arrivals.push(notUtf8(line));
    if (line.length >= largeLineBytes) noteSize(arrivals, line.length);
  }

  /** Keeps the beginning of a line, and gives up on it at the limit: the rest is passed over up to its newline. */
  #keep(piece: Uint8Array, arrivals: Arrival[]): void {
    if (this.#isSkipping) return;
    if (this.#unfinished.length + piece.length <= this.#maxLineBytes) {
      this.#unfinished.append(piece);
      return;
    }
    this.#unfinished.clear();
    this.#isSkipping = true;
    arrivals.push(this.#lineTooLong());
  }

  #lineTooLong(): Fault {
    const limit = this.#maxLineBytes;
    const detail = `it is over ${limit} bytes, the most this reader takes`;
    return createFault("line-too-long", detail, { at: limit });
  }
}

/** Names the first wrong byte, and whose message it spoilt when the rest can still be read. */
function notUtf8(line: Buffer): Fault {
  const at = findInvalidUtf8(line);
  const byte = line[at]?.toString(16).padStart(2, "0") ?? "??";
  const detail = `byte 0x${byte} at byte ${at} is not UTF-8`;
  const readable: Arrival[] = [];
  parseLine(line.toString(), readable);
  const excerpt = excerptOf(line.toString("utf8", 0, 1000)); // the start is enough, and a line may have 16 MiB
  return createFault("not-utf8", detail, { at, ...whose(readable.at(-1)), excerpt });
}

function whose(arrival: Arrival | undefined): Pick<Fault, "from" | "id"> {
  switch (arrival?.kind) {
    case "request":
      return { from: "request", id: arrival.id };
    case "notification":
      return { from: "notification", id: undefined };
    case "result":
    case "error":
      return { from: "reply", id: arrival.id ?? undefined };
    case "fault":
      return { from: arrival.from, id: arrival.id };
    case "batch":
    case undefined:
      return { from: "unknown", id: undefined };
  }
}

function unfinishedLine(at: number): Fault {
  return createFault("unfinished-line", "the stream ended, expected a newline", { at });
}
