/** Prints a sentence that says what went wrong, and below it something to type. */

import type { Screen } from "./screen.ts";

export interface Problem {
  readonly text: string;
  readonly hint: string | undefined;
}

export function reportProblem(screen: Screen, { text, hint }: Problem): void {
  screen.note(screen.paint("red", text, "note"));
  if (hint !== undefined) screen.note(`  ${screen.paint("dim", "hint:", "note")} ${hint}`);
}
