/** Rewrites the results in docs/bench.md, between its two marks. */

import { readFileSync, writeFileSync } from "node:fs";
import { toMarkdown } from "./table.ts";
import type { Summary } from "./summary.ts";

const page = new URL("../docs/bench.md", import.meta.url);
const begin = "<!-- results: written by `npm run bench -- --write` -->";
const end = "<!-- end of results -->";

/** @param heading when and where it was measured */
export function writePage(heading: string, summaries: readonly Summary[]): void {
  const text = readFileSync(page, "utf8");
  const [before, rest] = split(text, begin);
  const [, after] = split(rest, end);
  const results = [heading, ...summaries.map(toMarkdown)].join("\n\n");
  writeFileSync(page, `${before}${begin}\n\n${results}\n\n${end}${after}`);
}

function split(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`Cannot write docs/bench.md: it has no line ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
