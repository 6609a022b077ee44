/** A tool is not called more often in a minute than the system behind it bears. */

import type { Rule } from "./rule.ts";

export const toolKeepsItsRate: Rule = {
  id: "tool-keeps-its-rate",
  stage: "budget",
  summary: "The tool has calls left in this minute for this principal (callsPerMinute)",
  judge: ({ facts: { tool }, rate }) => {
    if (rate.left >= 1) return undefined;
    const retryAfterMs = Math.ceil(rate.moreInMs);
    const message = `"${tool}" has no call left in this minute (callsPerMinute), and one more in ${retryAfterMs} ms`;
    return { code: "rate_limited", message, retryAfterMs };
  },
  allows: [
    { name: "a call when one is left", situation: { rate: { left: 1, moreInMs: 0 } } },
    { name: "a call when many are left" },
  ],
  refuses: [
    {
      name: "a call when none is left",
      situation: { rate: { left: 0, moreInMs: 99.5 } },
      code: "rate_limited",
      text: '"get_order" has no call left in this minute (callsPerMinute), and one more in 100 ms',
    },
  ],
};
