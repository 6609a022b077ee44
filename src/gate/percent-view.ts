/** A text with its percent-encoding undone, that knows where each of its characters came from. */

export interface PercentView {
  /** Each encoded byte as one character, so that it is compared with UTF-8 read as Latin-1. */
  readonly text: string;
  /** For each character of the view, and for its end: where it begins in the text. */
  readonly starts: Int32Array;
}

const encodedByte = /%[0-9A-Fa-f]{2}/g;

/** Undoes one layer of `%41`; gives `undefined` for a text that has none. */
export function decodePercent(text: string): PercentView | undefined {
  if (!text.includes("%")) return undefined;
  const starts = new Int32Array(text.length + 1);
  let decoded = "";
  let length = 0;
  let done = 0;
  for (const { index } of text.matchAll(encodedByte)) {
    decoded += text.slice(done, index);
    while (done <= index) starts[length++] = done++;
    decoded += String.fromCharCode(Number.parseInt(text.slice(index + 1, index + 3), 16));
    done = index + 3;
  }
  if (done === 0) return undefined;
  decoded += text.slice(done);
  while (done <= text.length) starts[length++] = done++;
  return { text: decoded, starts };
}
