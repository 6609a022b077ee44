/** Writes are made in the hours that the operator names, when somebody can look at them. */

import type { Rule } from "./rule.ts";

const day = { writeHours: { from: 8, to: 18 } } as const;
const night = { writeHours: { from: 22, to: 6 } } as const;

export const writesKeepToHours: Rule = {
  id: "writes-keep-to-hours",
  stage: "conduct",
  summary: "A write is made within conduct.writeHours, by this machine's clock",
  judge: ({ facts, now, conduct: { writeHours } }) => {
    if (writeHours === undefined || facts.risk === "read") return undefined;
    const { from, to } = writeHours;
    const hour = new Date(now).getHours();
    if (from <= to ? hour >= from && hour < to : hour >= from || hour < to) return undefined;
    const message = `It is ${hour} o'clock, and writes are made from ${from} to ${to} (conduct.writeHours)`;
    return { code: "conduct_refused", message, hint: "Tell the person; reading goes on" };
  },
  allows: [
    { name: "any hour, when none is named", facts: { risk: "write" } },
    { name: "a read outside of the hours", situation: { now: at(3), conduct: day } },
    { name: "the first hour", facts: { risk: "write" }, situation: { now: at(8), conduct: day } },
    { name: "the last hour", facts: { risk: "write" }, situation: { now: at(17), conduct: day } },
    {
      name: "an hour after midnight of a night",
      facts: { risk: "write" },
      situation: { now: at(3), conduct: night },
    },
  ],
  refuses: [
    {
      name: "the hour that the hours end with",
      facts: { risk: "write" },
      situation: { now: at(18), conduct: day },
      code: "conduct_refused",
      text: "It is 18 o'clock, and writes are made from 8 to 18 (conduct.writeHours)",
    },
    {
      name: "an hour of the day, when the hours are a night's",
      facts: { risk: "write" },
      situation: { now: at(12), conduct: night },
      code: "conduct_refused",
      text: "writes are made from 22 to 6",
    },
  ],
};

function at(hour: number): number {
  return new Date(2026, 0, 15, hour, 30).getTime();
}
