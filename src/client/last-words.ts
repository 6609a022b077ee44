/** What a process left behind in writing, for the end of an error's sentence. */

import { toPrintable } from "../protocol/index.ts";
import type { Failure } from "./client-error.ts";
import type { Observations } from "./observations.ts";

/** Quotes the first stray line of stdout and the end of stderr; `""` where there is neither. */
export function describeLastWords({ stderrTail }: Failure, observations: Observations): string {
  const { strayLines } = observations;
  const stderr = quoteEnd(stderrTail ?? "");
  const stdout = strayLines[0];
  return (
    (stdout === undefined ? "" : `; the first line on stdout that is no message: ${stdout}`) +
    (stderr === undefined ? "" : `; stderr ended with: ${stderr}`)
  );
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
    .map((line) => toPrintable(line, maxLength).trim())
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
