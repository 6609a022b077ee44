/** Keeps what stands in files, and in the names of files, from acting upon the terminal of whoever is told that they cannot be used. */

import { showControls, UsageError } from "../../protocol/index.ts";

/** Does the work. Throws its `UsageError` with the same words, controls shown as escapes. */
export async function sayPrintably<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause;
    const { code, message, hint } = cause;
    const isShown = code === "wrong-schema"; // it has a line for each fault, and none of them from the file
    throw new UsageError(code, isShown ? message : showControls(message), {
      cause,
      ...(hint !== undefined && { hint: showControls(hint) }),
    });
  }
}
