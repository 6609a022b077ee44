/** Finds the budget that is used up, by name. */

import type { Usage } from "../usage.ts";
import type { Refusal } from "./rule.ts";

/** For each kind of use: the limit's name, and the limit. */
export type Budget = Readonly<Record<keyof Usage, readonly [name: string, limit: number]>>;

export function findExhausted(owner: string, used: Usage, budget: Budget): Refusal | undefined {
  if (used.calls >= budget.calls[1]) return refuse(owner, used.calls, "calls", budget.calls);
  if (used.ms >= budget.ms[1]) return refuse(owner, used.ms, "ms", budget.ms);
  if (used.bytes >= budget.bytes[1]) return refuse(owner, used.bytes, "bytes", budget.bytes);
}

function refuse(
  owner: string,
  used: number,
  unit: string,
  [name, limit]: readonly [string, number],
): Refusal {
  const message = `${owner} has used ${Math.floor(used)} ${unit}, and may use ${limit} (${name})`;
  return { code: "budget_exhausted", message };
}
