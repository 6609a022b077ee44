/** A task uses no more calls, time and bytes than its budget. */

import { findExhausted } from "./find-exhausted.ts";
import type { Rule } from "./rule.ts";

export const taskStaysWithinBudget: Rule = {
  id: "task-stays-within-budget",
  stage: "budget",
  summary: "The task has used less than taskCalls, taskMs and taskBytes",
  judge: ({ facts, task, limits: { taskCalls, taskMs, taskBytes } }) =>
    task === undefined
      ? undefined
      : findExhausted(`The task "${facts.taskId}"`, task, {
          calls: ["taskCalls", taskCalls],
          ms: ["taskMs", taskMs],
          bytes: ["taskBytes", taskBytes],
        }),
  allows: [
    { name: "a call without a task" },
    {
      name: "the last call of the budget",
      facts: { taskId: "t" },
      situation: { task: { calls: 999, ms: 0, bytes: 0 } },
    },
    {
      name: "a call with a millisecond left",
      facts: { taskId: "t" },
      situation: { task: { calls: 0, ms: 3_599_999, bytes: 0 } },
    },
    {
      name: "a call with a byte left",
      facts: { taskId: "t" },
      situation: { task: { calls: 0, ms: 0, bytes: 19_999_999 } },
    },
  ],
  refuses: [
    {
      name: "one call more",
      facts: { taskId: "t" },
      situation: { task: { calls: 1000, ms: 0, bytes: 0 } },
      code: "budget_exhausted",
      text: 'The task "t" has used 1000 calls, and may use 1000 (taskCalls)',
    },
    {
      name: "a call when the time is used up",
      facts: { taskId: "t" },
      situation: { task: { calls: 0, ms: 3_600_000, bytes: 0 } },
      code: "budget_exhausted",
      text: "3600000 ms, and may use 3600000 (taskMs)",
    },
    {
      name: "a call when the bytes are used up",
      facts: { taskId: "t" },
      situation: { task: { calls: 0, ms: 0, bytes: 20_000_001 } },
      code: "budget_exhausted",
      text: "20000001 bytes, and may use 20000000 (taskBytes)",
    },
  ],
};
