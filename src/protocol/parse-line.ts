/** Reads the text of one line into what arrived on it: a message, a batch, or the faults that say what is wrong. */

import type { Message } from "./json-rpc.ts";
import { parseMessage } from "./message.ts";
import type { Fault } from "./fault.ts";
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
  if (line.charCodeAt(line.length - 1) === 0x0d) arrivals.push(carriageReturn(line));
  arrivals.push(parseValue(value, line));
}

function parseValue(value: unknown, line: string): Arrival {
  if (Array.isArray(value) && value.length > 0)
    return { kind: "batch", items: value.map((item) => parseMessage(item)) };
  const message = parseMessage(value);
  return message.kind === "fault" ? { ...message, excerpt: excerptOf(line) } : message;
}

function parseFaultyLine(line: string, arrivals: Arrival[]): void {
  if (/^[ \t\r]*$/.test(line)) {
    arrivals.push(makeFault("blank-line", 0, "the line is blank, expected a message", line));
    return;
  }
  if (line.startsWith(byteOrderMark)) {
    arrivals.push(makeFault("byte-order-mark", 0, "the line begins with U+FEFF, expected {", line));
    parseLine(line.slice(1), arrivals);
    return;
  }
  arrivals.push(explainFault(line));
}

function explainFault(line: string): Fault {
  if (lspHeader.test(line)) {
    return makeFault(
      "content-length",
      0,
      "it is a header as LSP has them, expected one JSON message on a line of its own",
      line,
    );
  }
  const startsAsObject = /^\s*\{/.test(line);
  const glued = startsAsObject ? -1 : line.search(messageStart);
  if (glued > 0) return explainGluedText(line, glued);
  const scan = scanJson(line);
  if (scan.kind === "error") return explainNotJson(line, scan.at, scan.expected);
  if (!startsAsObject) return explainNotJson(line, scan.end, "the end of the line");
  const detail = `${show(line, scan.end)} follows a whole JSON object, expected the end of the line`;
  return makeFault("several-on-a-line", byteLength(line, scan.end), detail, line);
}

function explainGluedText(line: string, start: number): Fault {
  const message = readGluedMessage(line, start);
  const detail = `${show(line, 0)} stands before the message at byte ${byteLength(line, start)}, expected a newline between them`;
  return { ...makeFault("text-before-message", 0, detail, line), ...message };
}

/** Reads whose message was spoilt, so that a waiting call can be told at once. */
function readGluedMessage(line: string, start: number): Pick<Fault, "from" | "id"> {
  const scan = scanJson(line, start);
  if (scan.kind === "error") return { from: "unknown", id: undefined };
  const message = parseMessage(JSON.parse(line.slice(start, scan.end)));
  if (message.kind === "result" || message.kind === "error")
    return { from: "reply", id: message.id ?? undefined };
  return { from: "unknown", id: undefined };
}

function explainNotJson(line: string, index: number, expected: string): Fault {
  const at = byteLength(line, index);
  return makeFault(
    "not-json",
    at,
    `${show(line, index)} at byte ${at}, expected ${expected}`,
    line,
  );
}

function carriageReturn(line: string): Fault {
  return makeFault(
    "carriage-return",
    byteLength(line, line.length - 1),
    "the line ends in CR LF, expected LF alone",
    line,
  );
}

function makeFault(name: Fault["name"], at: number, detail: string, line: string): Fault {
  return {
    kind: "fault",
    name,
    at,
    detail,
    from: "unknown",
    id: undefined,
    excerpt: excerptOf(line),
  };
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
