/** Makes what a stranger wrote fit for one line of a terminal: no control characters, no end of it. */

/** Strips escape sequences, shows other control characters as escapes, and cuts at `maxLength`. */
export function printable(text: string, maxLength: number): string {
  let shown = "";
  for (let at = 0; at < text.length; at++) {
    if (shown.length > maxLength) return `${shown.slice(0, maxLength)}…`;
    const code = text.charCodeAt(at);
    if (code === escape) at = endOfSequence(text, at);
    else shown += isControl(code) ? showControl(code) : text.charAt(at);
  }
  return shown.length > maxLength ? `${shown.slice(0, maxLength)}…` : shown;
}

/**
 * Gives the end of a text in one line, as a person would quote it; `undefined` when there is nothing to see.
 *
 * A crash ends in a stack and a version: then the line that says what went wrong is quoted, with the first place outside of Node.
 */
export function quoteEnd(text: string, maxLength = 400): string | undefined {
  const lines = text
    .slice(-8_000)
    .split(/[\r\n]+/)
    .map((line) => printable(line, maxLength).trim())
    .filter((line) => line !== "");
  if (lines.length === 0) return undefined;
  const quoted = (findCrash(lines) ?? lines.slice(-3)).join(" | ");
  return `"${quoted.length > maxLength ? `…${quoted.slice(-maxLength)}` : quoted}"`;
}

/** Finds the last line that names an error and is followed by a stack. */
function findCrash(lines: readonly string[]): readonly string[] | undefined {
  const at = lines.findLastIndex(
    (line, index) =>
      /^(?:Uncaught )?\w*(?:Error|Exception)\b/.test(line) && isFrame(lines[index + 1]),
  );
  if (at === -1) return undefined;
  const place = lines.slice(at + 1).find((line) => isFrame(line) && !line.includes("node:"));
  return [...lines.slice(at, at + 1), ...(place === undefined ? [] : [place])];
}

function isFrame(line: string | undefined): boolean {
  return line?.startsWith("at ") === true;
}

const escape = 0x1b;
const bell = 0x07;

/** Gives the index of the last character of a CSI or OSC sequence, or of the escape itself. */
function endOfSequence(text: string, start: number): number {
  const introducer = text[start + 1];
  if (introducer !== "[" && introducer !== "]") return start + 1;
  for (let at = start + 2; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (introducer === "[" && code >= 0x40 && code <= 0x7e) return at;
    if (introducer === "]" && code === bell) return at;
    if (introducer === "]" && code === escape) return at + 1;
  }
  return text.length;
}

/** C0 and C1 controls, and the marks that reorder or hide text. */
function isControl(code: number): boolean {
  return (
    code < 0x20 ||
    (code >= 0x7f && code < 0xa0) ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069) ||
    code === 0xfeff
  );
}

function showControl(code: number): string {
  if (code === 0x0a) return "\\n";
  if (code === 0x0d) return "\\r";
  if (code === 0x09) return " ";
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}
