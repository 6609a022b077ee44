/** What a caller may ask of one call. */

import type { LoggingLevel } from "../protocol/index.ts";

export interface Progress {
  readonly progress: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

export interface CallOptions {
  /** How long the reply may take; default the connection's. A call that asks for input starts anew with each round. */
  readonly timeoutMs?: number;
  /** Cancels the call: the server is told, and the call fails with the code "cancelled". */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Whether each progress notification starts the time anew. */
  readonly resetTimeoutOnProgress?: boolean;
  /** The end of that patience; default the greater of ten minutes and `timeoutMs`. */
  readonly maxTotalTimeoutMs?: number;
  /** The least level of log messages wanted during this call; speaks to stateless servers only. */
  readonly logLevel?: LoggingLevel;
}

export const noOptions: CallOptions = {};

/** Where resetting by progress ends unless told otherwise: no server keeps a caller for ever by saying that it is busy. */
export const defaultMaxTotalTimeoutMs = 600_000;
