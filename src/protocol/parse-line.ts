/** Reads the text of one line into what arrived on it: a message, a batch, or the faults that say what is wrong. */

import type { Message } from "./json-rpc.ts";
import { parseMessage } from "./message.ts";
import { createFault, type Fault } from "./fault.ts";
import { scanJson } from "./scan-json.ts";

/** A JSON array: a batch in 2025-03-26, a fault in every other revision. */
export interface Batch {
  readonly kind: "batch";
  readonly items: readonly (Message | Fault)[];
}

/** What one line can bring. */
export type Arrival = Message | Batch | Fault;

/**
 * Appends what the line brought to `arrivals`; a tolerated fault stands before the message it was found beside.
 *
 * @param line the text between two newlines
 */
export function parseLine(line: string, arrivals: Arrival[]): void {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    parseFaultyLine(line, arrivals); // V8's message is for people; the scanner finds the place itself
    return;
  }
  acceptValue(value, line, arrivals);
}

function acceptValue(value: unknown, line: string, arrivals: Arrival[]): void {
  if (line.charCodeAt(line.length - 1) === 0x0d) arrivals.push(carriageReturn(line));
  arrivals.push(parseValue(value, line));
}

function parseValue(value: unknown, line: string): Arrival {
  if (Array.isArray(value) && value.length > 0) {
    return { kind: "batch", items: value.map((item) => parseMessage(item)) };
  }
  const message = parseMessage(value);
  return message.kind === "fault" ? { ...message, excerpt: excerptOf(line) } : message;
}

function parseFaultyLine(line: string, arrivals: Arrival[]): void {
  const start = countMarks(line);
  if (start === 0) {
    arrivals.push(explainFault(line, 0));
    return;
  }
  arrivals.push(
    createLineFault("byte-order-mark", 0, "the line begins with U+FEFF, expected {", line),
  );
  let value: unknown;
  try {
    value = JSON.parse(line.slice(start));
  } catch {
    arrivals.push(explainFault(line, start)); // as above
    return;
  }
  acceptValue(value, line, arrivals);
}

function countMarks(line: string): number {
  let count = 0;
  while (line[count] === byteOrderMark) count++;
  return count;
}

function explainFault(line: string, start: number): Fault {
  const text = line.slice(start);
  if (/^[ \t\r]*$/.test(text)) {
    return createLineFault("blank-line", start, "it is blank, expected a message", line);
  }
  if (lspHeader.test(text)) {
    const detail = "it is a header as LSP has them, expected one JSON message on a line of its own";
    return createLineFault("content-length", start, detail, line);
  }
  const scan = scanJson(line, start);
  const stop = scan.kind === "value" ? scan.end : scan.at;
  const isObjectText = /^\s*\{/.test(text);
  const glued = isObjectText ? -1 : start + text.search(messageStart);
  if (glued > start && glued >= stop) return explainGluedText(line, start, glued);
  if (scan.kind === "error") return explainNotJson(line, stop, scan.expected);
  if (!isObjectText) return explainNotJson(line, stop, "the end of the line");
  const detail = `${show(line, stop)} follows a whole JSON object, expected the end of the line`;
  const first = readSpoiltReply(line, start);
  const spoilt = first.from === "reply" ? first : readSpoiltReply(line, stop);
  return { ...createLineFault("several-on-a-line", stop, detail, line), ...spoilt };
}

function explainGluedText(line: string, start: number, glued: number): Fault {
  const at = byteLength(line, glued);
  const detail = `${show(line, start)} stands before the message at byte ${at}, expected a newline between them`;
  return {
    ...createLineFault("text-before-message", start, detail, line),
    ...readSpoiltReply(line, glued),
  };
}

/** Reads whose reply the rest of the line spoilt, so that a waiting call can be told at once. */
function readSpoiltReply(line: string, start: number): Pick<Fault, "from" | "id"> {
  const scan = scanJson(line, start);
  if (scan.kind === "error") return { from: "unknown", id: undefined };
  const message = parseMessage(JSON.parse(line.slice(start, scan.end)));
  if (message.kind === "result" || message.kind === "error")
    return { from: "reply", id: message.id ?? undefined };
  return { from: "unknown", id: undefined };
}

function explainNotJson(line: string, index: number, expected: string): Fault {
  const detail = `${show(line, index)} at byte ${byteLength(line, index)}, expected ${expected}`;
  return createLineFault("not-json", index, detail, line);
}

function carriageReturn(line: string): Fault {
  const detail = "the line ends in CR LF, expected LF alone";
  return createLineFault("carriage-return", line.length - 1, detail, line);
}

/** @param index the place in the text, which the fault gives in bytes */
function createLineFault(name: Fault["name"], index: number, detail: string, line: string): Fault {
  return createFault(name, detail, { at: byteLength(line, index), excerpt: excerptOf(line) });
}

/** Gives the first 200 characters of a line, for a person to recognise it. */
export function excerptOf(line: string): string {
  return line.length <= excerptLength ? line : `${line.slice(0, excerptLength)}…`;
}

function show(line: string, index: number): string {
  if (index >= line.length) return "the end of the line";
  return JSON.stringify(line.slice(index, index + 12));
}

/** Counts the UTF-8 bytes of the first `end` characters. */
function byteLength(text: string, end: number): number {
  return new TextEncoder().encode(text.slice(0, end)).length;
}

const excerptLength = 200;
const byteOrderMark = "\uFEFF";
const lspHeader = /^Content-(?:Length|Type):/i;
const messageStart = /\{\s*"jsonrpc"\s*:/;
