/** A tool acts on none but the origins that the operator lists. */

import type { Rule } from "./rule.ts";

export const originIsListed: Rule = {
  id: "origin-is-listed",
  stage: "conduct",
  summary: "A tool that says where it acts, acts on one of conduct.origins",
  judge: ({ facts: { origin }, conduct: { origins } }) => {
    if (origins === undefined || origin === undefined || origins.includes(origin)) return undefined;
    const listed = origins.length === 0 ? "none" : origins.join(", ");
    const message = `The origin "${origin}" is not listed, expected one of conduct.origins: ${listed}`;
    return { code: "conduct_refused", message };
  },
  allows: [
    { name: "any origin, when none is listed", facts: { origin: "https://a.example" } },
    {
      name: "a tool without an origin",
      situation: { conduct: { origins: ["https://a.example"] } },
    },
    {
      name: "a listed origin",
      facts: { origin: "https://a.example" },
      situation: { conduct: { origins: ["https://a.example"] } },
    },
  ],
  refuses: [
    {
      name: "another port",
      facts: { origin: "https://a.example:8443" },
      situation: { conduct: { origins: ["https://a.example"] } },
      code: "conduct_refused",
      text: 'The origin "https://a.example:8443" is not listed, expected one of conduct.origins: https://a.example',
    },
    {
      name: "every origin, when the list is empty",
      facts: { origin: "https://a.example" },
      situation: { conduct: { origins: [] } },
      code: "conduct_refused",
      text: "expected one of conduct.origins: none",
    },
  ],
};
