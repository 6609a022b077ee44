/** A write is made only when a person, outside of the model's channel, has allowed it. */

import type { Grant } from "../grant.ts";
import type { Rule } from "./rule.ts";

const grant: Grant = {
  id: "g1",
  task: "t",
  tools: ["get_order"],
  origins: [],
  principal: undefined,
  forCall: undefined,
  uses: 1,
  used: 0,
  reason: "an example",
  givenBy: "operator",
  givenAt: 0,
  expiresAt: 1,
  revokedAt: undefined,
};

export const writesHaveAGrant: Rule = {
  id: "writes-have-a-grant",
  stage: "risk",
  summary: "A grant of the write's task names its tool, and has a use left",
  judge: ({ facts: { risk, taskId, tool, origin }, grants }) => {
    if (risk === "read" || grants.length > 0) return undefined;
    const place = origin === undefined ? "" : ` on ${origin}`;
    const option = origin === undefined ? "" : ` --origin ${origin}`;
    return {
      code: "grant_required",
      message: `No grant allows "${tool}"${place} for the task "${taskId}"`,
      hint: `Ask the person who runs this server to type: genkan grant ${taskId} --tools ${tool}${option} --uses 1 --for 10m --reason "…"; you cannot give it yourself`,
    };
  },
  allows: [
    { name: "a read without a grant" },
    {
      name: "a write with one",
      facts: { risk: "write", taskId: "t", callId: "c" },
      situation: { grants: [grant] },
    },
  ],
  refuses: [
    {
      name: "a write without one",
      facts: { risk: "write", taskId: "t", callId: "c" },
      code: "grant_required",
      text: 'No grant allows "get_order" for the task "t"',
    },
    {
      name: "a write to an origin without one",
      facts: { risk: "write", taskId: "t", callId: "c", origin: "https://a.example" },
      code: "grant_required",
      text: 'No grant allows "get_order" on https://a.example for the task "t"',
    },
  ],
};
