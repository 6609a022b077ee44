/** Collects the pieces of one unfinished line in one growing buffer, so that any number of pieces costs linear time. */

/** What is kept between lines; a longer line's memory is given back. */
const keptCapacity = 64 * 1024;

export class LineBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#bytes.length) this.#grow(needed);
    this.#bytes.set(piece, this.#length);
    this.#length = needed;
  }

  /** Gives the collected bytes, valid until the next call, and begins anew. */
  take(): Buffer {
    const bytes = this.#bytes.subarray(0, this.#length);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > keptCapacity) this.#bytes = Buffer.alloc(0);
  }

  #grow(needed: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2, 1024));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }
}
