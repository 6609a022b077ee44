/** A fault: what is wrong with a line that should have been one message, and at which byte of it. */

import type { JsonObject } from "./json.ts";
import { ErrorCode } from "./errors.ts";
import {
  httpFaultCatalogue,
  isHttpFaultName,
  type HttpFaultName,
  type HttpTrouble,
} from "./http-fault.ts";
import type { ErrorMessage, RequestId } from "./json-rpc.ts";

export type FaultName = keyof typeof faultCatalogue;

export interface Fault {
  readonly kind: "fault";
  readonly name: FaultName | HttpFaultName;
  /** The first wrong byte, counted from 0 at the start of the line. */
  readonly at: number;
  /** What is, and what should be. */
  readonly detail: string;
  /** Whose turn it was: a faulty notification or reply is never answered. */
  readonly from: "request" | "notification" | "reply" | "unknown";
  /** The id of the faulty message, when it could be read. */
  readonly id: RequestId | undefined;
  /** The parsed object, when the line was JSON after all. */
  readonly value?: JsonObject;
  /** The start of the line, at most 200 characters of it, for a person to recognise who wrote it. */
  readonly excerpt?: string;
  /** What HTTP had to do with it. */
  readonly trouble?: HttpTrouble;
}

/** Creates a fault; by default it stands at the start of the line and nothing is known of whose message it was. */
export function createFault(
  name: Fault["name"],
  detail: string,
  known: Partial<Omit<Fault, "kind" | "name" | "detail">> = {},
): Fault {
  return { kind: "fault", name, at: 0, detail, from: "unknown", id: undefined, ...known };
}

interface FaultKind {
  /** What holds of every fault of this name. */
  readonly summary: string;
  /** The code a server answers with; `undefined` for a fault that is reported and otherwise passed over. */
  readonly code: number | undefined;
}

/** Every way in which a line can fail to be exactly one message. */
export const faultCatalogue = {
  "blank-line": { summary: "The line is empty or only white space", code: undefined },
  "carriage-return": { summary: "The line ends in CR LF, expected LF alone", code: undefined },
  "byte-order-mark": { summary: "A byte order mark stands before the message", code: undefined },
  "unfinished-line": { summary: "The stream ended before the line's newline", code: undefined },
  "not-utf8": { summary: "A byte is not UTF-8", code: ErrorCode.ParseError },
  "not-json": { summary: "The line is not JSON", code: ErrorCode.ParseError },
  "content-length": {
    summary: "A Content-Length header, the framing of LSP, expected one message on a line",
    code: ErrorCode.ParseError,
  },
  "several-on-a-line": {
    summary: "Something follows a whole message on the same line",
    code: ErrorCode.ParseError,
  },
  "text-before-message": {
    summary: "Other text stands before a message on the same line",
    code: ErrorCode.ParseError,
  },
  "line-too-long": {
    summary: "The line is longer than the reader's limit",
    code: ErrorCode.InvalidRequest,
  },
  "null-message": { summary: "The line is the JSON value null", code: ErrorCode.InvalidRequest },
  "array-message": {
    summary: "The line is a JSON array where no batch is allowed",
    code: ErrorCode.InvalidRequest,
  },
  "scalar-message": {
    summary: "The line is a bare JSON string, number or boolean",
    code: ErrorCode.InvalidRequest,
  },
  "invalid-message": {
    summary: "The line is a JSON object, but no JSON-RPC message",
    code: ErrorCode.InvalidRequest,
  },
} as const satisfies Record<string, FaultKind>;

/** Is true for a fault beside which the message itself could be read. */
export function isTolerated(fault: Fault): boolean {
  const { name } = fault;
  return isHttpFaultName(name)
    ? httpFaultCatalogue[name].isTolerated
    : faultCatalogue[name].code === undefined;
}

/** Gives the error code a server answers a fault with; `undefined` where it answers none. */
export function codeOfFault({ name }: Fault): number | undefined {
  return isHttpFaultName(name) ? undefined : faultCatalogue[name].code;
}

/**
 * Gives the reply that a server owes for a fault, or `undefined` where none is due.
 *
 * An id that could not be read is `null`, as JSON-RPC 2.0 section 5 says; `"omitted"` leaves the member out, as MCP 2026-07-28 does.
 */
export function replyToFault(
  fault: Fault,
  unreadableId: "null" | "omitted",
): ErrorMessage | undefined {
  const code = codeOfFault(fault);
  if (code === undefined || fault.from === "notification" || fault.from === "reply")
    return undefined;
  const id = fault.id ?? (unreadableId === "null" ? null : undefined);
  return { kind: "error", id, error: { code, message: `Cannot read the line: ${fault.detail}` } };
}

/** Makes the fault of a trouble with HTTP; with an id, it takes the place of that request's reply. */
export function faultOfTrouble(trouble: HttpTrouble, id?: RequestId): Fault {
  const { name, detail } = trouble;
  const from = id === undefined ? "unknown" : "reply";
  return createFault(name, detail, { from, id, trouble });
}
