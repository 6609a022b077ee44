/** Puts an error into a sentence, something to type, and how the command ends. */

import { ClientError, type Hint } from "../client/index.ts";
import { toPrintable, UsageError } from "../protocol/index.ts";
import type { Exit } from "./exit-codes.ts";

export interface Explanation {
  readonly exit: Exit;
  readonly text: string;
  readonly hint: string | undefined;
}

/** Whether there was a connection yet. */
export type Phase = "connecting" | "connected";

/** Gives `undefined` for what is nobody's mistake but Genkan's. */
export function explainError(error: unknown, phase: Phase): Explanation | undefined {
  if (error instanceof UsageError) return { exit: "usage", text: error.message, hint: error.hint };
  if (!(error instanceof ClientError)) return undefined;
  const hint = sayHint(error.hint) ?? (error.code === "unauthorized" ? wayIn : undefined);
  return { exit: exitOf(error, phase), text: error.message, hint };
}

function exitOf({ code }: ClientError, phase: Phase): Exit {
  if (code === "cancelled") return "interrupted";
  if (phase === "connecting") return "noConnection";
  return code === "timeout" ? "timeout" : "protocol";
}

const wayIn = "--login, or --token-env NAME";

/** Says a hint in the words of a shell; `undefined` where a shell can do nothing about it. */
function sayHint(hint: Hint | undefined): string | undefined {
  if (hint === undefined) return undefined;
  if ("text" in hint) return toPrintable(hint.text, 200);
  switch (hint.option) {
    case "era":
      return `--era ${hint.value}`;
    case "startTimeoutMs":
      return `--timeout ${hint.value}`;
    case "handlers":
      return undefined;
  }
}
