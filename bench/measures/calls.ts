/** Echo calls per second, with 1 and with 64 in flight. */

import { open } from "../ask.ts";
import type { Bench, Case, Measured } from "../bench.ts";
import { nodeCommand } from "../cpus.ts";
import { EchoPump } from "../echo-pump.ts";
import { Subject } from "../process.ts";
import { measureRate } from "../rate.ts";
import { serverCases } from "../subjects.ts";

export const calls: Bench = {
  name: "calls",
  title: "Echo calls a server answers per second (32 bytes of text)",
  figures: [
    {
      id: "one",
      title: "1 in flight",
      unit: "/s",
      digits: 0,
      goal: { of: "ratio", is: "≥", limit: 0.85 },
    },
    {
      id: "many",
      title: "64 in flight",
      unit: "/s",
      digits: 0,
      goal: { of: "ratio", is: "≥", limit: 0.75 },
    },
    { id: "driver", title: "driver busy at 64", unit: "%", digits: 0 },
  ],
  cases: serverCases,
  rounds: 5,
  warmUps: 0, // each run has its own
  isPinned: true,
  measure,
};

async function measure({ what, revision = "2025-11-25" }: Case): Promise<Measured> {
  await using server = new Subject(nodeCommand("subject CPU", what));
  await open(server, revision);
  const pump = await EchoPump.create(server, revision);
  const one = await measureRate(pump, 1);
  const many = await measureRate(pump, 64);
  return { one: one.perSecond, many: many.perSecond, driver: many.driverBusy * 100 };
}
