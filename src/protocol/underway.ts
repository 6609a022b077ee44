/** Keeps what is under way by its key, and lets go of what is taken out at once. */

/**
 * A `Map` does not let go, in V8: tables that it has outgrown refer to the next one. As soon as one of them is old, all that
 * was ever in a later one lives until the next full collection, and each collection of young objects copies it once more. So
 * what the tables hold are boxes, and those are emptied.
 */
export class Underway<Key, Value extends object> {
  readonly #boxes = new Map<Key, { value: Value | undefined }>();

  get size(): number {
    return this.#boxes.size;
  }

  has(key: Key): boolean {
    return this.#boxes.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#boxes.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    const box = this.#boxes.get(key);
    if (box === undefined) this.#boxes.set(key, { value });
    else box.value = value;
  }

  delete(key: Key): void {
    const box = this.#boxes.get(key);
    if (box === undefined) return;
    box.value = undefined;
    this.#boxes.delete(key);
  }

  /** Gives all that is there, in the order in which it was set; it may be taken out meanwhile. */
  *entries(): Generator<readonly [Key, Value]> {
    for (const [key, { value }] of this.#boxes) if (value !== undefined) yield [key, value];
  }

  *values(): Generator<Value> {
    for (const [, value] of this.entries()) yield value;
  }
}
