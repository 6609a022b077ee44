/** Puts an error into a sentence, something to type, and how the command ends. */

import { ClientError } from "../client/index.ts";
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
  if (error instanceof UsageError)
    return { exit: "usage", text: error.message, hint: toShellHint(error.hint) };
  if (!(error instanceof ClientError)) return undefined;
  const hint = toShellHint(error.hint) ?? (error.code === "unauthorized" ? wayIn : undefined);
  return { exit: exitOf(error, phase), text: error.message, hint };
}

function exitOf({ code }: ClientError, phase: Phase): Exit {
  if (code === "cancelled") return "interrupted";
  if (phase === "connecting") return "noConnection";
  return code === "timeout" ? "timeout" : "protocol";
}

const wayIn = "--login, or --token-env NAME";

/** The client's hints are for programs: what a shell has another word for is said in that word. */
function toShellHint(hint: string | undefined): string | undefined {
  if (hint === undefined || hint.startsWith("connect(")) return undefined;
  return toPrintable(hint, 200)
    .replace(/^era: "auto"$/, "--era auto")
    .replace(/^startTimeoutMs: /, "--timeout ");
}
