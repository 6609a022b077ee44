/** Counts the calls that run, and tells when none does. */

export class Running {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  async during<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#count++;
    try {
      return await work();
    } finally {
      this.#count--;
      if (this.#count === 0) for (const resolve of this.#waiting) resolve();
    }
  }

  /** Resolves when none runs. */
  async idle(): Promise<void> {
    while (this.#count > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
  }
}
