/** Cuts a stream of bytes into server-sent events, wherever the pieces begin and end. */

import { isUtf8 } from "node:buffer";
import { LineBuffer } from "../line-buffer.ts";

export interface SseEvent {
  /** `"message"` where the stream names no other. */
  readonly type: string;
  readonly data: string;
  /** Why `data` is not to be trusted; it is empty for an event over the limit. */
  readonly trouble?: "too long" | "not UTF-8";
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
export class SseReader {
  /** The id of the last event that had one: what a new connection goes on from. */
  lastEventId: string | undefined;
  /** How long to wait before connecting again, where the server has said. */
  retryMs: number | undefined;
  /** Whether an event had an id that no header can carry: it is passed over. */
  hasBadId = false;
  readonly #maxEventBytes: number;
  readonly #unfinished = new LineBuffer();
  #data: string[] = [];
  #dataBytes = 0;
  #type = "";
  #id: string | undefined;
  #trouble: SseEvent["trouble"];
  #isAfterReturn = false;
  #isFirstLine = true;

  /** @param maxEventBytes the most that the data of one event, or one line, may hold: it bounds the memory */
  constructor(maxEventBytes: number) {
    this.#maxEventBytes = maxEventBytes;
  }

  /** Reads one piece. What an unfinished event has brought so far is forgotten when the stream ends, as the standard says. */
  read(piece: Buffer): SseEvent[] {
    const events: SseEvent[] = [];
    let start = this.#isAfterReturn && piece[0] === lineFeed ? 1 : 0;
    if (piece.length > 0) this.#isAfterReturn = false;
    let feed = piece.indexOf(lineFeed, start);
    let turn = piece.indexOf(carriageReturn, start);
    for (;;) {
      if (feed !== -1 && feed < start) feed = piece.indexOf(lineFeed, start);
      if (turn !== -1 && turn < start) turn = piece.indexOf(carriageReturn, start);
      const end = turn === -1 || (feed !== -1 && feed < turn) ? feed : turn;
      if (end === -1) break;
      this.#finishLine(piece.subarray(start, end), events);
      start = end + 1;
      if (end !== turn) continue;
      if (start === piece.length) this.#isAfterReturn = true;
      else if (piece[start] === lineFeed) start++;
    }
    this.#keep(piece.subarray(start));
    return events;
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#unfinished.length + piece.length <= this.#maxEventBytes + fieldBytes)
      return this.#unfinished.append(piece);
    this.#trouble = "too long"; // the start of the line stays, so that the line is not taken for the end of the event
  }

  #finishLine(piece: Buffer, events: SseEvent[]): void {
    if (this.#unfinished.length === 0) return this.#takeLine(piece, events);
    this.#keep(piece);
    this.#takeLine(this.#unfinished.take(), events);
  }

  #takeLine(bytes: Buffer, events: SseEvent[]): void {
    let text = bytes.toString();
    if (this.#isFirstLine) text = text.replace(/^\uFEFF/, "");
    this.#isFirstLine = false;
    if (text === "") return this.#finishEvent(events);
    const colon = text.indexOf(":");
    if (colon === 0) return; // a comment, which keeps the connection alive
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? "" : text.slice(colon + (text[colon + 1] === " " ? 2 : 1));
    switch (field) {
      case "data":
        return this.#addData(value, bytes);
      case "event":
        this.#type = value;
        return;
      case "id":
        return this.#takeId(value);
      case "retry":
        if (/^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    }
  }

  /** An empty id takes the one before back; one with a NUL counts as absent by the standard. */
  #takeId(value: string): void {
    if (value === "" || isHeaderSafe(value)) this.#id = value;
    else if (!value.includes("\0")) this.hasBadId = true;
  }

  #addData(value: string, bytes: Buffer): void {
    this.#dataBytes += bytes.length;
    if (this.#dataBytes > this.#maxEventBytes + fieldBytes) this.#trouble = "too long";
    if (this.#trouble === "too long") this.#data.length = 0;
    else this.#data.push(value);
    if (!isUtf8(bytes)) this.#trouble ??= "not UTF-8";
  }

  #finishEvent(events: SseEvent[]): void {
    const type = this.#type === "" ? "message" : this.#type;
    const trouble = this.#trouble;
    if (this.#id !== undefined) this.lastEventId = this.#id;
    if (trouble === "too long") events.push({ type, data: "", trouble });
    else if (this.#data.length > 0) {
      const [first = ""] = this.#data;
      const data = this.#data.length === 1 ? first : this.#data.join("\n");
      events.push(trouble === undefined ? { type, data } : { type, data, trouble });
    }
    this.#data = [];
    this.#dataBytes = 0;
    this.#type = "";
    this.#trouble = undefined;
  }
}

/** How long an id may be: it stops one that makes the headers of the next request too large. */
export const maxEventIdLength = 1_024;

/** The id goes back in a header, which throws for other characters. */
function isHeaderSafe(id: string): boolean {
  return id.length <= maxEventIdLength && /^[\x20-\x7e]+$/.test(id);
}

/** What stands before the data on its line. */
const fieldBytes = "data: ".length;
