/** What a process left behind in writing, for the end of an error's sentence. */

import type { Failure } from "./client-error.ts";
import type { Observations } from "./observations.ts";
import { quoteEnd } from "./printable.ts";

/** Quotes the first stray line of stdout and the end of stderr; `""` where there is neither. */
export function describeLastWords({ stderrTail }: Failure, observations: Observations): string {
  const { strayLines } = observations.report({ stderrTail: "", stderrBytes: 0 });
  const stderr = quoteEnd(stderrTail ?? "");
  const stdout = strayLines[0];
  return (
    (stdout === undefined ? "" : `; the first line on stdout that is no message: ${stdout}`) +
    (stderr === undefined ? "" : `; stderr ended with: ${stderr}`)
  );
}
