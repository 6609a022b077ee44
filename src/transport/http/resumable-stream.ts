/**
 * A stream that outlives its connections: each event has an id, and a client that lost the connection continues after the
 * last one it saw.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */

import type { EventLog } from "./event-log.ts";
import { formatEvent, type EventStream } from "./event-stream.ts";

export class ResumableStream {
  readonly number: number;
  readonly #log: EventLog;
  readonly #connections: EventStream[] = [];
  #sequence = 0;
  #lastWritten = 0;
  #isFinished = false;

  constructor(number: number, log: EventLog) {
    this.number = number;
    this.#log = log;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  get connectionCount(): number {
    return this.#connections.length;
  }

  /** Whether the stream has come as far as this event. */
  hasReached(sequence: number): boolean {
    return sequence <= this.#sequence;
  }

  /** Sends an event on the newest connection; without one it waits in the log. */
  send(data: string): void {
    const sequence = ++this.#sequence;
    this.#log.append(this.number, sequence, data);
    for (const connection of this.#connections.toReversed()) {
      if (!connection.write(this.#format(sequence, data))) continue;
      this.#lastWritten = sequence;
      return;
    }
  }

  /** Gives a client an id to come back with before there is any event (2025-11-25). */
  prime(): void {
    this.#connections.at(-1)?.write(this.#format(this.#sequence, ""));
  }

  /** Continues on a connection: after the event the client saw last, or after the last one that was written. */
  attach(connection: EventStream, after = this.#lastWritten): void {
    const missed = this.#log.after(this.number, after);
    for (const { sequence, data } of missed) {
      connection.write(this.#format(sequence, data));
      this.#lastWritten = Math.max(this.#lastWritten, sequence);
    }
    if (this.#isFinished || !connection.isOpen) return connection.end();
    this.#connections.push(connection);
    connection.onClosed = () => {
      const at = this.#connections.indexOf(connection);
      if (at !== -1) this.#connections.splice(at, 1);
    };
  }

  /** Ends the stream: what is in the log can still be fetched. */
  finish(): void {
    this.#isFinished = true;
    while (this.#connections.length > 0) this.#connections.pop()?.end();
  }

  #format(sequence: number, data: string): string {
    return formatEvent(data, `${this.number}-${sequence}`);
  }
}

/** Reads an event's id, or gives `undefined` for one that was never given out in this form. */
export function parseEventId(
  id: string,
): { readonly stream: number; readonly sequence: number } | undefined {
  const [, stream, sequence] = /^(\d{1,9})-(\d{1,9})$/.exec(id) ?? [];
  if (stream === undefined || sequence === undefined) return undefined;
  return { stream: Number(stream), sequence: Number(sequence) };
}
