/** Finds where an escape sequence ends, as ECMA-48 defines them, so that nothing of it is left to be read. */

/**
 * Gives the index behind the sequence that an ESC or a C1 introducer at `start` begins; `undefined` when it begins none.
 *
 * A control string without its end loses its introducer alone: the rest of the text stays to be seen.
 */
export function endOfSequence(text: string, start: number): number | undefined {
  const code = text.charCodeAt(start);
  if (code !== escape) return endOf(code - 0x40, text, start + 1); // a C1 control is ESC and a letter in one
  const next = text.charCodeAt(start + 1);
  if (next >= 0x20 && next <= 0x2f) return endOfIntermediate(text, start + 2);
  return endOf(next, text, start + 2);
}

function endOf(letter: number, text: string, from: number): number | undefined {
  if (letter === leftBracket) return endOfControlSequence(text, from);
  if (stringLetters.has(letter)) return endOfControlString(text, from) ?? from;
  return letter >= 0x30 && letter <= 0x7e ? from : undefined;
}

const escape = 0x1b;
const leftBracket = 0x5b;
/** P, X, ], ^ and _: DCS, SOS, OSC, PM and APC. */
const stringLetters: ReadonlySet<number> = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f]);
/** The longest control string that is taken out whole: stops an unfinished one from being looked through for long. */
const maxControlString = 65_536;

/** ESC, intermediates, and one final: `ESC ( B`. */
function endOfIntermediate(text: string, from: number): number | undefined {
  const at = skip(text, from, 0x20, 0x2f);
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x7e ? at + 1 : undefined;
}

/** Parameters, intermediates, and one final: `CSI 1 ; 31 m`. Without a final, the introducer alone. */
function endOfControlSequence(text: string, from: number): number {
  const at = skip(text, skip(text, from, 0x30, 0x3f), 0x20, 0x2f);
  const code = text.charCodeAt(at);
  return code >= 0x40 && code <= 0x7e ? at + 1 : from;
}

/** Anything printable, up to BEL, ST or ESC \. */
function endOfControlString(text: string, from: number): number | undefined {
  const last = Math.min(text.length, from + maxControlString);
  for (let at = from; at < last; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x07 || code === 0x9c) return at + 1;
    if (code === escape) return text[at + 1] === "\\" ? at + 2 : undefined;
    const isFormat = code >= 0x08 && code <= 0x0d;
    if (!isFormat && (code < 0x20 || (code >= 0x7f && code < 0xa0))) return undefined;
  }
  return undefined;
}

function skip(text: string, from: number, least: number, most: number): number {
  let at = from;
  while (text.charCodeAt(at) >= least && text.charCodeAt(at) <= most) at++;
  return at;
}
