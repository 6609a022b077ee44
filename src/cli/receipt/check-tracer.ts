/** Finds out before a traced run whether it can begin: strace would say so in its own words, and as if the command had. */

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { UsageError } from "../../protocol/index.ts";

/** Throws a `UsageError` where there is no strace, or no such command. */
export function checkTracer([command = ""]: readonly string[]): void {
  if (!isProgram("strace"))
    throw new UsageError(
      "no-strace",
      'Cannot trace the command: there is no "strace", expected it in PATH',
      {
        hint: "apt-get install strace",
      },
    );
  if (!isProgram(command))
    throw new UsageError(
      "no-command",
      `Cannot trace ${JSON.stringify(command)}: there is no such command, expected one`,
    );
}

function isProgram(word: string): boolean {
  if (word.includes("/")) return isExecutable(word);
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .some((folder) => isExecutable(join(folder, word)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not ours to run
  }
}
