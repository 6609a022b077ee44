/** A write can be told from its repetition: it carries the two ids that name what is to be done. */

import type { Rule } from "./rule.ts";

export const writesCarryIds: Rule = {
  id: "writes-carry-ids",
  stage: "risk",
  summary: "A write has a task_id and a call_id",
  judge: ({ facts: { risk, taskId, callId } }) => {
    if (risk === "read" || (taskId !== undefined && callId !== undefined)) return undefined;
    const missing = [taskId === undefined && "task_id", callId === undefined && "call_id"].filter(
      Boolean,
    );
    return {
      code: "ids_required",
      message: `A write needs ${missing.join(" and ")}`,
      hint: `Choose one task_id for the whole task, such as "refund-2026-11-30-a", and a new call_id for each thing to be done, such as "refund-1"; send the same two again when you repeat a call`,
    };
  },
  allows: [
    { name: "a read without ids" },
    { name: "a write with both", facts: { risk: "write", taskId: "t", callId: "c" } },
  ],
  refuses: [
    {
      name: "a write with none",
      facts: { risk: "write" },
      code: "ids_required",
      text: "A write needs task_id and call_id",
    },
    {
      name: "a write without a call_id",
      facts: { risk: "write", taskId: "t" },
      code: "ids_required",
      text: "A write needs call_id",
    },
    {
      name: "a write without a task_id",
      facts: { risk: "write", callId: "c" },
      code: "ids_required",
      text: "A write needs task_id",
    },
  ],
};
