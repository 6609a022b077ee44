/** Reads a response that is an event stream into messages. */

import type { IncomingMessage } from "node:http";
import { parseLine, type Arrival, type HttpTrouble } from "../../protocol/index.ts";
import { maxEventIdLength, SseReader, type SseEvent } from "./sse-reader.ts";

export interface StreamHandlers {
  /** Takes the messages of one event. */
  readonly onArrivals: (arrivals: readonly Arrival[], data: string) => void;
  /** Takes an event of another type than `message`. */
  readonly onOther?: (event: SseEvent) => void;
  /** Called once at most, for what can be worked with. */
  readonly onOddity?: (trouble: HttpTrouble) => void;
  /** Called once, when nothing more comes; `isWhole` where the stream ended and was not cut off. */
  readonly onEnd: (isWhole: boolean) => void;
}

/** Gives the reader, which knows what a new connection needs to go on. */
export function readEventStream(
  response: IncomingMessage,
  maxEventBytes: number,
  { onArrivals, onOther, onOddity, onEnd }: StreamHandlers,
): SseReader {
  const reader = new SseReader(maxEventBytes);
  let isOver = false;
  let isOdd = false;
  const finish = (isWhole: boolean): void => {
    if (isOver) return;
    isOver = true;
    onEnd(isWhole);
  };
  response.on("data", (piece: Buffer) => {
    const events = reader.read(piece);
    if (reader.hasBadId && !isOdd) {
      isOdd = true;
      onOddity?.(badId);
    }
    for (const event of events) {
      if (event.type !== "message") onOther?.(event);
      else if (event.data !== "" || event.trouble !== undefined)
        onArrivals(readEvent(event, maxEventBytes), event.data);
    }
  });
  response.on("end", () => finish(true));
  response.on("error", () => finish(false));
  response.on("close", () => finish(false));
  return reader;
}

const badId: HttpTrouble = {
  name: "http-oddity",
  detail: `an event has an id that no header can carry, expected at most maxEventIdLength (${maxEventIdLength}) characters of ASCII without controls`,
};

/** What stands alone in an event and is no message may belong to any call. */
function readEvent({ data, trouble }: SseEvent, maxEventBytes: number): readonly Arrival[] {
  const fault = { kind: "fault", at: 0, from: "unknown", id: undefined } as const;
  if (trouble === "too long") {
    const detail = `the event is over ${maxEventBytes} bytes, the most this reader takes`;
    return [{ ...fault, name: "line-too-long", detail }];
  }
  if (trouble === "not UTF-8")
    return [
      {
        ...fault,
        name: "not-utf8",
        detail: "an event's data is not UTF-8",
        excerpt: data.slice(0, 200),
      },
    ];
  const arrivals: Arrival[] = [];
  parseLine(data, arrivals);
  return arrivals;
}
