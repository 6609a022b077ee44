/** Refuses parameters that JSON cannot carry. */

import { UsageError } from "../protocol/index.ts";

export function explainUnwritable(method: string, cause: unknown): UsageError {
  return new UsageError(
    "not-json",
    `Cannot send "${method}": its parameters cannot be written as JSON, expected ones that can`,
    { cause },
  );
}
