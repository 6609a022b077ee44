/** Echo calls per second over HTTP and how long the slowest hundredth of them takes, on 1 and on 32 connections. */

import type { Bench, Case, Measured } from "../bench.ts";
import { nodeCommand } from "../cpus.ts";
import { openHttpEcho } from "../http-peer.ts";
import { HttpPump } from "../http-pump.ts";
import { Subject } from "../process.ts";
import { measureRate } from "../rate.ts";
import { percentile } from "../statistics.ts";
import { httpServerCases } from "../subjects.ts";

export const httpCalls: Bench = {
  name: "http-calls",
  title: "Echo calls a server answers per second over HTTP (32 bytes of text)",
  figures: [
    { id: "one", title: "1 connection", unit: "/s", digits: 0 },
    { id: "oneP99", title: "p99", unit: "ms", digits: 2 },
    {
      id: "many",
      title: "32 connections",
      unit: "/s",
      digits: 0,
      goal: { of: "ratio", is: "≥", limit: 0.75 },
    },
    { id: "manyP99", title: "p99", unit: "ms", digits: 2 },
    { id: "driver", title: "driver busy at 32", unit: "%", digits: 0 },
  ],
  cases: httpServerCases,
  rounds: 3,
  warmUps: 0, // each run has its own
  isPinned: true,
  measure,
};

async function measure({ what, revision = "2025-11-25" }: Case): Promise<Measured> {
  await using server = new Subject(nodeCommand("subject CPU", what));
  using pump = await HttpPump.create(await openHttpEcho(server, revision));
  const one = await measureRate(pump, 1);
  const oneP99 = percentile(pump.durations(one.counted), 0.99) ?? 0;
  const many = await measureRate(pump, 32);
  const manyP99 = percentile(pump.durations(many.counted), 0.99) ?? 0;
  const driver = many.driverBusy * 100;
  return { one: one.perSecond, oneP99, many: many.perSecond, manyP99, driver };
}
