/** What a command is: a file of `commands/` exports one of these, and `command-list.ts` names it. */

import type { Command } from "commander";
import type { Exit } from "./exit-codes.ts";
import type { Screen } from "./screen.ts";

export interface CommandDefinition {
  readonly name: string;
  /** One sentence: the first line of `--help`, and the command's row in the README. */
  readonly summary: string;
  /** Whether the command of a server follows after `--`. */
  readonly takesServer: boolean;
  /** Ways it can end, for its `--help`. */
  readonly exits: readonly Exit[];
  /** Adds arguments, options, examples and the action. */
  define(command: Command, run: Run): void;
}

/** What an action gets besides its arguments and options. */
export interface Run {
  readonly screen: Screen;
  /** The words after `--`; none where there was no `--`. */
  readonly serverWords: readonly string[];
  /** Takes how the command ended. Without it, well. */
  end(exit: Exit): void;
}
