/** Echo calls per second, with 1 and with 64 in flight. */

import { setTimeout as sleep } from "node:timers/promises";
import { open } from "../ask.ts";
import type { Bench, Case, Measured } from "../bench.ts";
import { nodeCommand } from "../cpus.ts";
import { EchoPump } from "../echo-pump.ts";
import { Subject } from "../process.ts";
import { serverCases } from "../subjects.ts";

const warmMs = 300;
const runMs = 500;

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
  rounds: 3,
  warmUps: 0, // each run has its own
  isPinned: true,
  measure,
};

async function measure({ what, revision = "2025-11-25" }: Case): Promise<Measured> {
  await using server = new Subject(nodeCommand("subject CPU", what));
  await open(server, revision);
  const pump = await EchoPump.create(server, revision);
  const one = await rate(pump, 1);
  const many = await rate(pump, 64);
  return { one: one.perSecond, many: many.perSecond, driver: many.driverBusy * 100 };
}

async function rate(
  pump: EchoPump,
  flight: number,
): Promise<{ perSecond: number; driverBusy: number }> {
  const done = pump.run(flight);
  await Promise.race([done, sleep(warmMs)]);
  const answeredBefore = pump.answered;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.race([done, sleep(runMs)]);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const perSecond = (pump.answered - answeredBefore) / seconds;
  pump.stop();
  await done;
  return { perSecond, driverBusy: (user + system) / 1e6 / seconds };
}
