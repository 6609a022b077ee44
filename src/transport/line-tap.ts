/** Shows an observer the exact bytes of each line that passes, without touching what the reader makes of them. */

import { callOut } from "./call-out.ts";
import { LineBuffer } from "./line-buffer.ts";

export interface RawLine {
  readonly direction: "sent" | "received";
  /** The bytes with their newline; without one where the stream ended, or the line was so long that it comes in pieces. */
  readonly bytes: Buffer;
}

/** What it throws costs no line: see `callOut()`. */
export type LineObserver = (line: RawLine) => void;

export class LineTap {
  readonly #direction: RawLine["direction"];
  readonly #observer: LineObserver;
  readonly #maxPieceBytes: number;
  readonly #unfinished = new LineBuffer();

  /** @param maxPieceBytes how much of one line is held before it is shown as a piece: it bounds the memory */
  constructor(direction: RawLine["direction"], observer: LineObserver, maxPieceBytes: number) {
    this.#direction = direction;
    this.#observer = observer;
    this.#maxPieceBytes = maxPieceBytes;
  }

  pass(piece: Buffer): void {
    let start = 0;
    for (let newline = piece.indexOf(0x0a); newline !== -1; newline = piece.indexOf(0x0a, start)) {
      this.#unfinished.append(piece.subarray(start, newline + 1));
      this.end();
      start = newline + 1;
    }
    this.#unfinished.append(piece.subarray(start));
    if (this.#unfinished.length > this.#maxPieceBytes) this.end();
  }

  /** Shows what has come of an unfinished line. */
  end(): void {
    if (this.#unfinished.length === 0) return;
    const bytes = Buffer.from(this.#unfinished.take());
    callOut(this.#observer, { direction: this.#direction, bytes });
  }
}
