/** A rule: one statement that must hold for a call to run, judged by what is known about it and by nothing else. */

import type { Code } from "../codes.ts";
import type { Conduct } from "../conduct.ts";
import type { CallFacts } from "../feature.ts";
import type { Grant } from "../grant.ts";
import type { GateLimits } from "../limits.ts";
import type { Usage } from "../usage.ts";

/** Everything a rule may look at. */
export interface Situation {
  readonly facts: CallFacts;
  readonly now: number;
  readonly conduct: Conduct;
  readonly limits: GateLimits;
  /** The grants of the call's task that are neither used up, expired nor revoked; empty for a read. */
  readonly grants: readonly Grant[];
  /** What the task has used; `undefined` for a call without one. */
  readonly task: Usage | undefined;
  /** What the principal has used in this hour. */
  readonly principal: Usage;
  /** The calls that this tool has left in this minute for this principal, and when it will have one more. */
  readonly rate: { readonly left: number; readonly moreInMs: number };
}

export interface Refusal {
  readonly code: Code;
  readonly message: string;
  /** Default: what the table of codes says. */
  readonly hint?: string;
  readonly retryAfterMs?: number;
}

/** When a rule is asked: in this order, and the first refusal stands. */
export const stages = ["conduct", "risk", "budget"] as const;

export interface Rule {
  /** The statement that holds when all is well; the file's name. */
  readonly id: string;
  readonly stage: (typeof stages)[number];
  readonly summary: string;
  readonly judge: (situation: Situation) => Refusal | undefined;
  readonly allows: readonly Example[];
  readonly refuses: readonly (Example & { readonly code: Code; readonly text: string })[];
}

/** What an example has otherwise than `ordinary`, a read of an order without ids. */
export interface Example {
  readonly name: string;
  readonly facts?: Partial<CallFacts>;
  readonly situation?: Partial<Omit<Situation, "facts">>;
}
