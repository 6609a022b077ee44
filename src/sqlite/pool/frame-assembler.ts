/** Puts frames together from the pieces in which they arrive. */

import { Buffer } from "node:buffer";
import { maxFrameBytes } from "../reader/frames.ts";

export class FrameAssembler {
  #pieces: Buffer[] = [];
  #bytes = 0;

  /** Takes a piece and gives every frame that it completes. Throws a `RangeError` for one that is too long. */
  push(piece: Buffer): readonly unknown[] {
    if (this.#bytes === 0 && piece.length > 4 && piece.readUInt32LE() === piece.length - 4)
      return [JSON.parse(piece.toString("utf8", 4))]; // as most come: one frame in one piece
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    const frames: unknown[] = [];
    for (;;) {
      const length = this.#peekLength();
      if (length === undefined || this.#bytes < 4 + length) return frames;
      const whole = this.#take();
      frames.push(JSON.parse(whole.toString("utf8", 4, 4 + length)));
      const rest = whole.subarray(4 + length);
      if (rest.length > 0) this.#pieces.push(rest);
      this.#bytes = rest.length;
    }
  }

  #peekLength(): number | undefined {
    if (this.#bytes < 4) return undefined;
    const [first] = this.#pieces;
    if (first === undefined || first.length < 4) this.#pieces = [this.#take()];
    const length = this.#pieces[0]?.readUInt32LE() ?? 0;
    if (length > maxFrameBytes) throw new RangeError(`A frame of ${length} bytes is too long`);
    return length;
  }

  #take(): Buffer {
    const [only] = this.#pieces;
    const whole =
      this.#pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.#pieces);
    this.#pieces = [];
    return whole;
  }
}
