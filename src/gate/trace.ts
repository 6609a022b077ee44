/** What is known of one call afterwards: what was asked, what happened step by step, and how it ended. */

import type { JsonObject } from "../protocol/index.ts";
import type { Code } from "./codes.ts";
import type { Risk, Step } from "./feature.ts";

export interface Trace {
  /** Rises with every trace of a state: what is above it came later. */
  readonly id: number;
  readonly traceId: string;
  /** When the call came, in ms since 1970. */
  readonly at: number;
  readonly principal: string;
  readonly door: string;
  readonly tool: string;
  readonly risk: Risk;
  readonly taskId: string | undefined;
  readonly callId: string | undefined;
  readonly origin: string | undefined;
  /** `undefined` while it runs. */
  readonly code: Code | undefined;
  /** The rule that refused it. */
  readonly rule: string | undefined;
  readonly attempts: number;
  readonly durationMs: number;
  readonly message: string;
  /** The arguments in a line: short ones as they are, of others their size. */
  readonly summary: string;
  readonly steps: readonly Step[];
  /** The arguments of a call that failed, or runs, with references for secrets; `undefined` when they are not kept. */
  readonly args: JsonObject | undefined;
  /** What the tool threw and why, for the person who runs the server. */
  readonly fault: string | undefined;
}

export interface TraceLimits {
  /** How many traces are kept: stops them from filling the state. Default: 10 000. */
  readonly keptTraces: number;
  /** How long a trace is kept, in ms: arguments may hold what is personal. Default: 7 days. */
  readonly keptMs: number;
  /** The size of the arguments that are kept, as JSON: stops one call from taking the place of many. Default: 65 536. */
  readonly argsBytes: number;
  /** How many steps of a call are kept. Default: 200. */
  readonly steps: number;
  /** How much of a fault is kept, in characters. Default: 4 000. */
  readonly faultLength: number;
}

export const defaultTraceLimits: TraceLimits = {
  keptTraces: 10_000,
  keptMs: 7 * 24 * 3_600_000,
  argsBytes: 65_536,
  steps: 200,
  faultLength: 4_000,
};
