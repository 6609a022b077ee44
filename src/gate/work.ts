/** A call that is to be done once, and what doing it needs of its tool. */

import type { Context } from "../server/index.ts";
import type { CallFacts } from "./feature.ts";
import type { GrantRequest } from "./grants.ts";
import type { Lane } from "./lanes.ts";
import type { ToolLimits } from "./limits.ts";
import type { Runnable } from "./run-tool.ts";
import type { ToolChecks } from "./tool.ts";

export interface WorkRequest {
  readonly key: string;
  readonly digest: string;
  readonly facts: CallFacts;
  readonly tool: ToolInUse;
  readonly checks: ToolChecks;
  readonly runnable: Runnable;
  readonly context: Context;
  /** The grant for this call alone that the person at a trusted client has agreed to; given when the call is claimed. */
  readonly approval: GrantRequest | undefined;
}

export interface ToolInUse {
  readonly steps: readonly string[];
  readonly findOut: string | undefined;
  readonly limits: Required<ToolLimits>;
  readonly lanesOf: (facts: CallFacts) => readonly Lane[];
}
