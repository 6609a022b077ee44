/** Prints a sentence that says what went wrong, and below it something to type. */

import { toPrintableLines } from "../protocol/index.ts";
import type { Screen } from "./screen.ts";

export interface Problem {
  readonly text: string;
  readonly hint: string | undefined;
}

export function reportProblem(screen: Screen, { text, hint }: Problem): void {
  screen.note(screen.paint("red", toPrintableLines(text), "note")); // it may quote a file, a name or a stranger
  if (hint === undefined) return;
  screen.note(`  ${screen.paint("dim", "hint:", "note")} ${toPrintableLines(hint)}`);
}
