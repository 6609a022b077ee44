/** Every rule of the gate, in the order in which they are asked. */

import { argumentsStayWithinConduct } from "./arguments-stay-within-conduct.ts";
import { originIsListed } from "./origin-is-listed.ts";
import { principalStaysWithinBudget } from "./principal-stays-within-budget.ts";
import type { Refusal, Rule, Situation } from "./rule.ts";
import { taskStaysWithinBudget } from "./task-stays-within-budget.ts";
import { toolIsPermitted } from "./tool-is-permitted.ts";
import { toolKeepsItsRate } from "./tool-keeps-its-rate.ts";
import { writesCarryIds } from "./writes-carry-ids.ts";
import { writesHaveAGrant } from "./writes-have-a-grant.ts";
import { writesKeepToHours } from "./writes-keep-to-hours.ts";

/** What a call is asked before it waits for its turn. */
export const rulesAtTheDoor: readonly Rule[] = [
  toolIsPermitted,
  argumentsStayWithinConduct,
  originIsListed,
  writesKeepToHours,
  writesCarryIds,
];

/** What is asked at the claim even when a person has just allowed the call. */
export const rulesOfBudget: readonly Rule[] = [
  taskStaysWithinBudget,
  principalStaysWithinBudget,
  toolKeepsItsRate,
];

/** What is asked when the call is about to run, in the transaction that claims its ids. */
export const rulesAtTheClaim: readonly Rule[] = [writesHaveAGrant, ...rulesOfBudget];

export const rules: readonly Rule[] = [...rulesAtTheDoor, ...rulesAtTheClaim];

export interface Judgement extends Refusal {
  readonly rule: string;
}

/** Gives the first refusal, or `undefined` when the call may run. */
export function judge(situation: Situation, asked: readonly Rule[]): Judgement | undefined {
  for (const { id, judge: judgeBy } of asked) {
    const refusal = judgeBy(situation);
    if (refusal !== undefined) return { rule: id, ...refusal };
  }
}
