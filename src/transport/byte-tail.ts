/** Keeps the last bytes of a stream and counts all of them: what a process said on stderr, in bounded memory. */

/** How much is kept: enough for a stack trace or two, whatever a process floods. */
const defaultTailBytes = 64 * 1024;

export class ByteTail {
  readonly #limit: number;
  readonly #pieces: Uint8Array[] = [];
  #kept = 0;
  #total = 0;

  constructor(limit = defaultTailBytes) {
    this.#limit = limit;
  }

  /** All bytes that ever came. */
  get totalBytes(): number {
    return this.#total;
  }

  append(piece: Uint8Array): void {
    this.#total += piece.length;
    const last = piece.length > this.#limit ? piece.subarray(piece.length - this.#limit) : piece;
    this.#pieces.push(last);
    this.#kept += last.length;
    for (
      let first = this.#pieces[0];
      first !== undefined && this.#kept > this.#limit;
      first = this.#pieces[0]
    ) {
      const excess = this.#kept - this.#limit;
      if (first.length > excess) this.#pieces[0] = first.subarray(excess);
      else this.#pieces.shift();
      this.#kept -= Math.min(first.length, excess);
    }
  }

  /** Gives the kept bytes as text; a character cut at the beginning, or bytes that are not UTF-8, become U+FFFD. */
  text(): string {
    return Buffer.concat(this.#pieces).toString("utf8");
  }
}
