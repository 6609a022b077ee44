/** What to try next, for whoever reads the error to say in the words of the place where it is read. */

import type { Handlers } from "./handlers.ts";

export type Hint =
  /** An option of `connect()`, and what to give it. */
  | { readonly option: "era"; readonly value: "auto" }
  | { readonly option: "startTimeoutMs"; readonly value: number }
  /** The handler that is missing. */
  | { readonly option: "handlers"; readonly value: keyof Handlers }
  /** What to type or to do, where no option helps. */
  | { readonly text: string };
