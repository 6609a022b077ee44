/** Makes what a stranger wrote fit for a terminal, which acts upon control characters and shows text in the order that marks ask for. */

/** Gives one line: escape sequences stripped, other control characters shown as escapes, cut at `maxLength`. */
export function toPrintable(text: string, maxLength: number): string {
  let shown = "";
  for (let at = 0; at < text.length; at++) {
    if (shown.length > maxLength) break;
    const code = text.charCodeAt(at);
    if (code === escape) at = endOfSequence(text, at);
    else shown += isControl(code) ? showControl(code) : text.charAt(at);
  }
  return shown.length > maxLength ? `${cut(shown, maxLength)}…` : shown;
}

/** Gives the same for a text of several lines, of any length: line ends and tabs stay. */
export function toPrintableLines(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part, index) => (index % 2 === 1 ? part : toPrintable(part, Infinity)))
    .join("");
}

/** Shows every control character as an escape, line ends too, and strips nothing. */
export function showControls(text: string): string {
  return text.replaceAll(/./gsu, (character) =>
    isControl(character.charCodeAt(0)) ? escapeCode(character.charCodeAt(0)) : character,
  );
}

/** Escapes what JSON lets pass and a terminal acts upon: the same document, safe to show. Takes JSON, whose line ends stand between values. */
export function escapeJson(json: string): string {
  return json.replaceAll(/[\u007F-\uFFFF]/g, (character) => {
    const code = character.charCodeAt(0);
    return isControl(code) ? `\\u${code.toString(16).padStart(4, "0")}` : character;
  });
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

/** C0 and C1 controls, and the marks that reorder or hide text; not the joiners (U+200C, U+200D) that scripts and emoji need. */
function isControl(code: number): boolean {
  return (
    code < 0x20 ||
    (code >= 0x7f && code < 0xa0) ||
    code === 0x061c ||
    code === 0x200b ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2069) ||
    code === 0xfeff
  );
}

function showControl(code: number): string {
  if (code === 0x0a) return "\\n";
  if (code === 0x0d) return "\\r";
  return code === 0x09 ? " " : escapeCode(code);
}

function escapeCode(code: number): string {
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** Cuts a text, and never through a character of two halves. */
function cut(text: string, maxLength: number): string {
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? maxLength - 1 : maxLength);
}
