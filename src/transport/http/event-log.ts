/** The latest events of one session, kept for a client that comes back to a broken stream; bounded in number and bytes. */

interface StoredEvent {
  readonly stream: number;
  readonly sequence: number;
  readonly data: string;
}

export class EventLog {
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  #events: StoredEvent[] = [];
  #bytes = 0;

  constructor(maxEvents: number, maxBytes: number) {
    this.#maxEvents = maxEvents;
    this.#maxBytes = maxBytes;
  }

  /** Keeps an event, and lets go of the oldest ones beyond the limits; one that is larger than all of it is not kept. */
  append(stream: number, sequence: number, data: string): void {
    const size = sizeOf(data);
    if (size > this.#maxBytes) return;
    this.#events.push({ stream, sequence, data });
    this.#bytes += size;
    while (this.#events.length > this.#maxEvents || this.#bytes > this.#maxBytes) {
      this.#bytes -= sizeOf(this.#events.shift()?.data ?? "");
    }
  }

  /** Gives the events of a stream that follow one of its events, oldest first. */
  after(stream: number, sequence: number): readonly StoredEvent[] {
    return this.#events.filter((event) => event.stream === stream && event.sequence > sequence);
  }

  has(stream: number): boolean {
    return this.#events.some((event) => event.stream === stream);
  }
}

/** Two bytes a character: what a string costs at most. */
function sizeOf(data: string): number {
  return data.length * 2;
}
