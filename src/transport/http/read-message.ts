/** Reads the bytes of a body into what arrived in it, or into the refusal that says why it cannot be. */

import { isAscii, isUtf8 } from "node:buffer";
import {
  codeOfFault,
  ErrorCode,
  isTolerated,
  parseLine,
  type Arrival,
  type Fault,
} from "../../protocol/index.ts";
import { findInvalidUtf8 } from "../utf8.ts";
import type { Refusal } from "./refusal.ts";

/** A message, a batch, or why there is neither; `fault` keeps whose message it was. */
export type BodyReading =
  | { readonly arrival: Exclude<Arrival, Fault> }
  | { readonly refusal: Refusal; readonly fault?: Fault };

/** Reads one body. */
export function readMessage(bytes: Buffer): BodyReading {
  if (isAscii(bytes)) return readText(bytes.toString("latin1"));
  if (isUtf8(bytes)) return readText(bytes.toString());
  const at = findInvalidUtf8(bytes);
  const message = `Cannot read the body: byte ${at} is not UTF-8`;
  return { refusal: { status: 400, code: ErrorCode.ParseError, message } };
}

function readText(text: string): BodyReading {
  const arrivals: Arrival[] = [];
  parseLine(text, arrivals);
  const arrival = arrivals.at(-1);
  if (arrival === undefined) return { refusal: emptyBody };
  if (arrival.kind !== "fault") return { arrival };
  if (isTolerated(arrival)) return { refusal: emptyBody };
  const code = codeOfFault(arrival) ?? ErrorCode.InvalidRequest;
  const detail = arrival.detail.replaceAll(/\bthe line\b/g, "the body");
  const message = `Cannot read the body: ${detail}`;
  return { refusal: { status: 400, code, message }, fault: arrival };
}

const emptyBody: Refusal = {
  status: 400,
  code: ErrorCode.ParseError,
  message: "Cannot read the body: it is blank, expected one JSON-RPC message",
};
