/** Event streams (SSE) that are open: written to, kept alive, counted, and broken off when nobody reads them. */

import type { EventSink, Exchange, HeaderList } from "./exchange.ts";
import type { Beating, Heart } from "./heart.ts";
import type { HttpLimits } from "./limits.ts";

/**
 * Writes one message as an event; JSON has no line breaks of its own, so it is one `data` line.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function formatEvent(data: string, id?: string): string {
  return id === undefined ? `data: ${data}\n\n` : `id: ${id}\ndata: ${data}\n\n`;
}

export class EventStreams {
  readonly #limits: HttpLimits;
  readonly #heart: Heart;
  readonly #open = new Set<EventStream>();

  constructor(limits: HttpLimits, heart: Heart) {
    this.#limits = limits;
    this.#heart = heart;
  }

  get isFull(): boolean {
    return this.#open.size >= this.#limits.maxStreams;
  }

  /**
   * Answers an exchange with a stream. The caller has seen that there is room.
   *
   * @param expiresAt when the caller's proof ends, where the stream must not outlive it
   */
  open(exchange: Exchange, headers: HeaderList, expiresAt?: number): EventStream {
    const sink = exchange.openStream([...streamHeaders, ...headers]);
    const release = (): void => {
      this.#open.delete(stream);
      this.#heart.delete(stream);
    };
    const { maxStreamBacklogBytes } = this.#limits;
    const stream = new EventStream(sink, maxStreamBacklogBytes, release, expiresAt);
    this.#open.add(stream);
    this.#heart.add(stream);
    exchange.onGone(() => stream.leave());
    return stream;
  }
}

export class EventStream implements Beating {
  /** Called once when the stream can no longer be written to. */
  onClosed: (() => void) | undefined;
  readonly #sink: EventSink;
  readonly #maxBacklogBytes: number;
  readonly #release: () => void;
  readonly #expiresAt: number | undefined;
  #isOpen = true;

  constructor(
    sink: EventSink,
    maxBacklogBytes: number,
    release: () => void,
    expiresAt: number | undefined,
  ) {
    this.#sink = sink;
    this.#maxBacklogBytes = maxBacklogBytes;
    this.#release = release;
    this.#expiresAt = expiresAt;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Writes events, or breaks off a stream whose peer has left too much of the earlier ones. Gives whether they were written. */
  write(events: string): boolean {
    if (!this.#isOpen) return false;
    if (this.#sink.backlog > this.#maxBacklogBytes) {
      this.#sink.destroy();
      this.leave();
      return false;
    }
    this.#sink.write(events);
    return true;
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#sink.end();
    this.leave();
  }

  beat(): void {
    if (this.#expiresAt !== undefined && Date.now() > this.#expiresAt) return this.end();
    this.write(": still here\n\n");
  }

  /** Notes that the stream is closed, whoever closed it. */
  leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#release();
    this.onClosed?.();
  }
}

const streamHeaders: HeaderList = [
  "content-type",
  "text/event-stream",
  "cache-control",
  "no-store",
  "x-accel-buffering",
  "no",
];
