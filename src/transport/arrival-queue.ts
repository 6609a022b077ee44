/** Carries batches from a stream's callbacks to one `for await` reader, and tells the stream when to pause. */

/** How many unread batches make the source pause: enough to keep a fast reader busy, few enough to bound memory. */
const pauseAt = 16;

export interface Flow {
  pause(): void;
  resume(): void;
}

export class ArrivalQueue<Item> implements AsyncIterable<Item> {
  readonly #flow: Flow;
  readonly #items: Item[] = [];
  #reader: ((result: IteratorResult<Item>) => void) | undefined;
  #isPaused = false;
  #isEnded = false;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  push(item: Item): void {
    if (this.#isEnded) return;
    const reader = this.#reader;
    if (reader !== undefined) {
      this.#reader = undefined;
      reader({ done: false, value: item });
      return;
    }
    this.#items.push(item);
    if (this.#items.length < pauseAt || this.#isPaused) return;
    this.#isPaused = true;
    this.#flow.pause();
  }

  /** Ends the iteration after what is queued has been read. */
  end(): void {
    this.#isEnded = true;
    this.#reader?.({ done: true, value: undefined });
    this.#reader = undefined;
  }

  [Symbol.asyncIterator](): AsyncIterator<Item> {
    return {
      next: () => this.#next(),
      return: () => {
        this.end();
        this.#items.length = 0;
        this.#resume(); // what comes now is dropped, and the source can reach its end
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  #next(): Promise<IteratorResult<Item>> {
    const item = this.#items.shift();
    if (item === undefined) return this.#waitForItem();
    if (this.#items.length === 0) this.#resume();
    return Promise.resolve({ done: false, value: item });
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#flow.resume();
  }

  #waitForItem(): Promise<IteratorResult<Item>> {
    if (this.#isEnded) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }
}
