/** Takes out of a text from outside what a reader does not see and a terminal or a model acts upon. */

import { classOf, type Invisible } from "./sanitise-classes.ts";
import { endOfSequence } from "./sanitise-escapes.ts";
import { isJoinerKept, isSelectorKept } from "./sanitise-joiners.ts";

export interface SanitiseOptions {
  /** In UTF-16 code units, the "…" of a cut included: stops one text from filling a model's memory. Default: 20 000. */
  readonly maxLength?: number;
  /** Whether line ends and tabs stay; otherwise each becomes a space. Default: true. */
  readonly lines?: boolean;
}

/** How many of each were removed: characters, escape sequences, and code units that a limit cut off. */
export type Removed = Readonly<Record<Invisible | "escapes" | "cut", number>>;

export interface Sanitised {
  readonly text: string;
  readonly removed: Removed;
}

export const nothingRemoved: Removed = {
  controls: 0,
  escapes: 0,
  bidi: 0,
  zeroWidth: 0,
  tags: 0,
  surrogates: 0,
  cut: 0,
};

/** Adds what was removed from two texts. */
export function addRemoved(a: Removed, b: Removed): Removed {
  const sum = { ...a };
  for (const name of removedNames) sum[name] += b[name];
  return sum;
}

/** In the order in which they are told. */
export const removedNames = [
  "controls",
  "escapes",
  "bidi",
  "zeroWidth",
  "tags",
  "surrogates",
  "cut",
] as const satisfies readonly (keyof Removed)[];

const defaultMaxText = 20_000;

/**
 * Cleans a text; cleaning what is clean changes nothing.
 *
 * Line ends become LF, a lone surrogate U+FFFD. Joiners and variation selectors stay where a script or an emoji needs them.
 */
export function sanitiseText(text: string, options: SanitiseOptions = {}): Sanitised {
  const { maxLength = defaultMaxText, lines = true } = options;
  const removed = { ...nothingRemoved };
  let clean = suspect.test(text) ? cleanSuspect(text, removed) : text;
  if (!lines) clean = clean.replaceAll(/[\n\t]/g, " ");
  if (clean.length <= maxLength) return { text: clean, removed };
  const kept = cutBefore(clean, Math.max(0, maxLength - 1));
  removed.cut = clean.length - kept.length;
  return { text: maxLength < 1 ? "" : `${kept}…`, removed };
}

/** A superset of what is removed; a line feed and a tab never are. */
const suspect = /(?![\n\t])[\p{Cc}\p{Cs}\p{DI}\u2028\u2029\uFFF9-\uFFFB]/u;
const everySuspect = new RegExp(suspect, "gu");

function cleanSuspect(text: string, removed: Record<keyof Removed, number>): string {
  let clean = "";
  let done = 0;
  let last = ""; // the character that was kept last
  for (let at = nextSuspect(text, 0); at !== -1; at = nextSuspect(text, done)) {
    if (at > done) last = characterBefore(text, at);
    clean += text.slice(done, at);
    const code = text.codePointAt(at) ?? 0;
    done = at + (code > 0xffff ? 2 : 1);
    const kind = classOf(code);
    let kept = "";
    if (kind === "line-end") {
      kept = "\n";
      if (code === carriageReturn && text.charCodeAt(done) === lineFeed) done++;
    } else if (kind === "introducer") {
      const end = endOfSequence(text, at);
      if (end === undefined) removed.controls++;
      else {
        removed.escapes++;
        done = end;
      }
    } else if (kind === "joiner" && isJoinerKept(last, code, characterAt(text, done))) {
      kept = String.fromCodePoint(code);
    } else if (kind === "selector" && isSelectorKept(last, code)) {
      kept = String.fromCodePoint(code);
    } else {
      const name = kind === "joiner" || kind === "selector" ? "zeroWidth" : kind;
      removed[name]++;
      if (name === "surrogates") kept = "\uFFFD";
    }
    clean += kept;
    if (kept !== "") last = kept;
  }
  return clean + text.slice(done);
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

function nextSuspect(text: string, from: number): number {
  everySuspect.lastIndex = from;
  return everySuspect.exec(text)?.index ?? -1;
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function characterBefore(text: string, at: number): string {
  const pair = text.codePointAt(at - 2) ?? 0;
  return pair > 0xffff ? String.fromCodePoint(pair) : text.charAt(at - 1);
}

/** Cuts a clean text between two characters, and never behind a joiner: it would join nothing. */
function cutBefore(text: string, length: number): string {
  const isWithinPair = (text.codePointAt(length - 1) ?? 0) > 0xffff;
  const end = isWithinPair ? length - 1 : length;
  return text.slice(0, end).replace(/[\u200C\u200D]+$/, "");
}
