/** Finds many secrets in a text in one pass (Aho–Corasick), however many there are. */

import type { SecretForm } from "./secret-forms.ts";

/** Where a secret stands in a text. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

export interface NamedForm extends SecretForm {
  readonly name: string;
}

export interface SecretSearch {
  find(text: string): readonly Finding[];
}

/** How much of a form is in the table; the rest is compared where that much was found. Bounds the table's size. */
const anchorLength = 24;

/** Makes a search for these forms, none of them empty. */
export function createSecretSearch(forms: readonly NamedForm[]): SecretSearch {
  const table = buildTable(forms);
  return {
    find: (text) => {
      const findings: Finding[] = [];
      const { classes, moves, width, ends, isEnd } = table;
      let state = 0;
      for (let at = 0; at < text.length; at++) {
        state = moves[state * width + (classes[text.charCodeAt(at)] ?? 0)] ?? 0;
        if (isEnd[state] === 0) continue;
        for (const form of ends[state] ?? none) {
          const start = at + 1 - Math.min(form.text.length, anchorLength);
          if (text.startsWith(form.text, start)) findings.push(widen(text, start, form));
        }
      }
      return findings;
    },
  };
}

const none: readonly NamedForm[] = [];

/** Takes in the letters of base64 that hold some of the value's bits, and the padding. */
function widen(text: string, start: number, { text: form, name, base64 }: NamedForm): Finding {
  const end = start + form.length;
  if (base64 === undefined) return { start, end, name };
  const before = lastLetter.exec(text.slice(Math.max(0, start - 3), start))?.[0] ?? "";
  const after = letterAndPadding.exec(text.slice(end, end + 9))?.[0] ?? "";
  return {
    start: base64.before ? start - before.length : start,
    end: base64.after ? end + after.length : end,
    name,
  };
}

const lastLetter = /(?:%2[BF]|[A-Za-z0-9+/_-])$/i;
const letterAndPadding = /^(?:%2[BF]|[A-Za-z0-9+/_-])?(?:=|%3D){0,2}/i;

interface Table {
  /** A class for every UTF-16 code unit; 0 is all that no form has. */
  readonly classes: Uint16Array;
  readonly width: number;
  /** The next state, by state and class. */
  readonly moves: Int32Array;
  /** The forms whose anchors end in a state; `undefined` for most. */
  readonly ends: readonly (readonly NamedForm[] | undefined)[];
  /** 1 for a state that has such forms: most have none, and looking here is quick. */
  readonly isEnd: Uint8Array;
}

function buildTable(forms: readonly NamedForm[]): Table {
  const anchors = forms.map(({ text }) => text.slice(0, anchorLength));
  const classes = new Uint16Array(0x1_0000);
  let width = 1;
  for (const anchor of anchors)
    for (let at = 0; at < anchor.length; at++)
      if (classes[anchor.charCodeAt(at)] === 0) classes[anchor.charCodeAt(at)] = width++;

  const size = anchors.reduce((sum, anchor) => sum + anchor.length, 1);
  const moves = new Int32Array(size * width);
  const ends: (readonly NamedForm[] | undefined)[] = [undefined];
  for (const [index, form] of forms.entries()) {
    let state = 0;
    for (const unit of (anchors[index] ?? "").split("")) {
      const move = state * width + (classes[unit.charCodeAt(0)] ?? 0);
      if (moves[move] === 0) moves[move] = ends.push(undefined) - 1;
      state = moves[move] ?? 0;
    }
    ends[state] = [...(ends[state] ?? none), form];
  }
  addFailures(moves, ends, width);
  const isEnd = Uint8Array.from(ends, (found) => (found === undefined ? 0 : 1));
  return { classes, width, moves, ends, isEnd };
}

/** Fills in, level by level, where a state goes when the text leaves its form: to the longest beginning that still fits. */
function addFailures(
  moves: Int32Array,
  ends: (readonly NamedForm[] | undefined)[],
  width: number,
): void {
  const failures = new Int32Array(ends.length);
  const queue = Array.from(moves.subarray(0, width)).filter((state) => state !== 0);
  for (const state of queue) {
    const failure = failures[state] ?? 0;
    const shorter = ends[failure];
    if (shorter !== undefined) ends[state] = [...(ends[state] ?? none), ...shorter];
    for (let unit = 0; unit < width; unit++) {
      const move = state * width + unit;
      const fallback = moves[failure * width + unit] ?? 0;
      const next = moves[move] ?? 0;
      if (next === 0) moves[move] = fallback;
      else {
        failures[next] = fallback;
        queue.push(next);
      }
    }
  }
}
