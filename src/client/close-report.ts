/** What closing a connection took. */

import type { StopReport } from "../transport/index.ts";

export type CloseReport =
  /** The server was a process that this side had started: how it ended. */
  | ({ readonly kind: "process" } & StopReport)
  /** The server lives on, or is none of this side's: only the connection ended. */
  | { readonly kind: "connection"; readonly durationMs: number };
