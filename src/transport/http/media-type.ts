/** Reads the headers that say what a body is and what the answer may be. */

import { refuse, type Refusal } from "./refusal.ts";

/** Which of the two kinds of answer a client takes. */
export interface Wants {
  readonly json: boolean;
  readonly events: boolean;
}

const wantsBoth: Wants = { json: true, events: true };

/** Answers found so far: clients send the same few values, and strangers must not make this grow. */
const known = new Map<string, Wants>();
const maxKnown = 64;

/**
 * Reads `Accept`; a client that sends none takes anything, as HTTP says.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-accept
 */
export function parseAccept(accept: string | undefined): Wants {
  if (accept === undefined) return wantsBoth;
  const found = known.get(accept);
  if (found !== undefined) return found;
  const ranges = accept.split(",").filter((range) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/i.test(range));
  const types = new Set(ranges.map((range) => essenceOf(range)));
  const takes = (type: string, family: string): boolean =>
    types.has(type) || types.has(family) || types.has("*/*");
  const wants = {
    json: takes("application/json", "application/*"),
    events: takes("text/event-stream", "text/*"),
  };
  if (known.size < maxKnown) known.set(accept, wants);
  return wants;
}

/** Checks that a body is plain JSON in UTF-8, as far as its headers tell. */
export function checkBodyHeaders(
  contentType: string | undefined,
  contentEncoding: string | undefined,
): Refusal | undefined {
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== "identity") {
    return refuse(
      415,
      `Content-Encoding is ${quote(contentEncoding)}, expected none: bodies are taken uncompressed`,
      ["accept-encoding", "identity"],
    );
  }
  if (contentType === "application/json") return undefined;
  const [type = "", ...parameters] = (contentType ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json") {
    const is = contentType === undefined ? "missing" : quote(contentType);
    return refuse(415, `Content-Type is ${is}, expected application/json`);
  }
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  if (charset === undefined || charset.toLowerCase() === "utf-8") return undefined;
  return refuse(415, `The charset of the body is ${quote(charset)}, expected utf-8`);
}

function essenceOf(range: string): string {
  return (range.split(";")[0] ?? "").trim().toLowerCase();
}

/** Shows a header's value, shortened, for an error text. */
export function quote(value: string): string {
  return JSON.stringify(value.length <= 80 ? value : `${value.slice(0, 80)}…`);
}
