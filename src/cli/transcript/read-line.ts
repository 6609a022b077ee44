/** Reads the exact bytes of one line into what they say, in either direction. */

import { isUtf8 } from "node:buffer";
import { parseLine, type Arrival, type Fault, type Message } from "../../protocol/index.ts";
import type { RawLine } from "../../transport/index.ts";

export interface ReadLine {
  readonly direction: RawLine["direction"];
  /** The text without its newline. */
  readonly text: string;
  readonly messages: readonly Message[];
  /** What is wrong with the line; none where it is exactly one message. */
  readonly faults: readonly Pick<Fault, "name" | "detail">[];
}

export function readLine({ direction, bytes }: RawLine): ReadLine {
  const isEnded = bytes.at(-1) === 0x0a;
  const text = bytes.subarray(0, isEnded ? -1 : undefined).toString("utf8");
  const arrivals: Arrival[] = [];
  parseLine(text, arrivals);
  const parts = arrivals.flatMap((each) => (each.kind === "batch" ? each.items : [each]));
  const faults: ReadLine["faults"][number][] = parts.filter((part) => part.kind === "fault");
  if (!isEnded) faults.push({ name: "unfinished-line", detail: "the line has no newline" });
  if (!isUtf8(bytes)) faults.push({ name: "not-utf8", detail: "the line is not UTF-8" });
  if (arrivals.some((each) => each.kind === "batch"))
    faults.push({ name: "array-message", detail: "the line is an array of messages" });
  return { direction, text, messages: parts.filter((part) => part.kind !== "fault"), faults };
}
