/** The operator denies no tool that is called. */

import type { Rule } from "./rule.ts";

export const toolIsPermitted: Rule = {
  id: "tool-is-permitted",
  stage: "conduct",
  summary: "The tool is not among conduct.deniedTools",
  judge: ({ facts: { tool }, conduct }) =>
    conduct.deniedTools?.includes(tool) === true
      ? { code: "conduct_refused", message: `The operator has denied the tool "${tool}"` }
      : undefined,
  allows: [
    { name: "any tool, when none is denied" },
    { name: "another tool than the denied one", situation: { conduct: { deniedTools: ["send"] } } },
  ],
  refuses: [
    {
      name: "a denied tool",
      situation: { conduct: { deniedTools: ["get_order"] } },
      code: "conduct_refused",
      text: 'The operator has denied the tool "get_order"',
    },
  ],
};
