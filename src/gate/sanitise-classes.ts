/** Sorts the characters that have no place in a text from outside into what they are. */

/** What is removed and counted, by its name in the counts. */
export type Invisible = "controls" | "bidi" | "zeroWidth" | "tags" | "surrogates";

/** What a suspect character is; the last four are decided by what stands beside them. */
export type SuspectClass = Invisible | "line-end" | "introducer" | "joiner" | "selector";

export function classOf(code: number): SuspectClass {
  if (code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029) return "line-end";
  if (code === 0x1b || c1Introducers.has(code)) return "introducer";
  if (code < 0xa0) return "controls";
  if (code >= 0xd800 && code <= 0xdfff) return "surrogates";
  if (isBidi(code)) return "bidi";
  if (code === 0x200c || code === 0x200d) return "joiner";
  if (code === 0xfe0e || code === 0xfe0f) return "selector"; // text or emoji
  if (code >= 0xe0100 && code <= 0xe01ef) return "selector"; // which form of an ideograph
  if (code >= 0xe0000 && code <= 0xe0fff) return "tags"; // ASCII in hiding
  return "zeroWidth";
}

/** DCS, SOS, CSI, OSC, PM and APC as one character each (ECMA-48). */
const c1Introducers: ReadonlySet<number> = new Set([0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f]);

/** The marks, embeddings, overrides and isolates of UAX #9, and what was deprecated for the same. */
function isBidi(code: number): boolean {
  return (
    code === 0x061c ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  );
}
