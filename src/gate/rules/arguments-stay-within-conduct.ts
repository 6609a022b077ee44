/** No argument goes over the operator's own bound; it is refused by the bound's name, never cut down to it. */

import { isObject } from "../../protocol/index.ts";
import type { Refusal, Rule, Situation } from "./rule.ts";

export const argumentsStayWithinConduct: Rule = {
  id: "arguments-stay-within-conduct",
  stage: "conduct",
  summary: "A number, or the length of a text or a list, is at most conduct.maxima",
  judge: (situation) =>
    situation.conduct.maxima === undefined
      ? undefined
      : judgeMaxima(situation, situation.conduct.maxima),
  allows: [
    { name: "any number, when there is no bound" },
    { name: "a number at its bound", facts: { args: { count: 5 } }, situation: bound(5) },
    { name: "a number below it", facts: { args: { count: 4 } }, situation: bound(5) },
    {
      name: "a text as long as its bound",
      facts: { args: { count: "abcde" } },
      situation: bound(5),
    },
    { name: "an argument that is not there", facts: { args: {} }, situation: bound(5) },
    { name: "another tool", facts: { tool: "other", args: { count: 6 } }, situation: bound(5) },
  ],
  refuses: [
    {
      name: "a number over its bound",
      facts: { args: { count: 6 } },
      situation: bound(5),
      code: "conduct_refused",
      text: '"count" is 6, expected at most 5 (conduct.maxima "get_order.count")',
    },
    {
      name: "a list longer than its bound",
      facts: { args: { count: [1, 2, 3] } },
      situation: bound(2),
      code: "conduct_refused",
      text: '"count" has the length 3, expected at most 2 (conduct.maxima "get_order.count")',
    },
  ],
};

function bound(most: number): Pick<Situation, "conduct"> {
  return { conduct: { maxima: { "get_order.count": most } } };
}

function judgeMaxima(
  { facts }: Situation,
  maxima: Readonly<Record<string, number>>,
): Refusal | undefined {
  if (!isObject(facts.args)) return undefined;
  for (const [name, value] of Object.entries(facts.args)) {
    const key = `${facts.tool}.${name}`;
    const most = Object.hasOwn(maxima, key) ? maxima[key] : undefined;
    const size = typeof value === "string" || Array.isArray(value) ? value.length : value;
    if (most === undefined || typeof size !== "number" || size <= most) continue;
    const what = size === value ? `is ${size}` : `has the length ${size}`;
    const message = `"${name}" ${what}, expected at most ${most} (conduct.maxima "${key}")`;
    return { code: "conduct_refused", message, hint: `Call again with a smaller "${name}"` };
  }
}
