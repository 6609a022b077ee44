/** A principal uses no more calls, time and bytes in one hour than its budget. */

import { findExhausted } from "./find-exhausted.ts";
import type { Rule } from "./rule.ts";

export const principalStaysWithinBudget: Rule = {
  id: "principal-stays-within-budget",
  stage: "budget",
  summary:
    "The principal has used less than principalCalls, principalMs and principalBytes in this hour",
  judge: ({ facts, now, principal, limits: { principalCalls, principalMs, principalBytes } }) => {
    const refusal = findExhausted(`In this hour "${facts.principal}"`, principal, {
      calls: ["principalCalls", principalCalls],
      ms: ["principalMs", principalMs],
      bytes: ["principalBytes", principalBytes],
    });
    if (refusal === undefined) return undefined;
    const minutes = Math.ceil((hourMs - (now % hourMs)) / 60_000);
    return {
      ...refusal,
      hint: `Finish with what there is; the next hour begins in ${minutes} min`,
    };
  },
  allows: [
    { name: "a first call" },
    {
      name: "the last call of the hour",
      situation: { principal: { calls: 19_999, ms: 0, bytes: 0 } },
    },
  ],
  refuses: [
    {
      name: "one call more",
      situation: { principal: { calls: 20_000, ms: 0, bytes: 0 } },
      code: "budget_exhausted",
      text: 'In this hour "local" has used 20000 calls, and may use 20000 (principalCalls)',
    },
    {
      name: "a call when the bytes are used up",
      situation: { principal: { calls: 1, ms: 0, bytes: 400_000_000 } },
      code: "budget_exhausted",
      text: "(principalBytes)",
    },
    {
      name: "a call when the time is used up",
      situation: { principal: { calls: 1, ms: 36_000_000, bytes: 0 } },
      code: "budget_exhausted",
      text: "(principalMs)",
    },
  ],
};

/** A principal's budget is for one hour of the clock. */
const hourMs = 3_600_000;
