/** What a server over HTTP keeps in memory: open and idle, and after 50 000 and 100 000 requests. */

import type { Bench, Case, Measured } from "../bench.ts";
import { nodeCommand } from "../cpus.ts";
import { openHttpEcho } from "../http-peer.ts";
import { HttpPump } from "../http-pump.ts";
import { Subject } from "../process.ts";
import { residentMegabytes } from "../resident.ts";
import { httpServerCases } from "../subjects.ts";

const halfOfCalls = 50_000;
const connections = 32;

export const httpMemory: Bench = {
  name: "http-memory",
  title: "Resident memory of a server over HTTP",
  figures: [
    { id: "idle", title: "idle", unit: "MB", digits: 1 },
    { id: "half", title: "after 50 000 requests", unit: "MB", digits: 1 },
    { id: "whole", title: "after 100 000 requests", unit: "MB", digits: 1 },
    {
      id: "growth",
      title: "100 000 / 50 000",
      unit: "×",
      digits: 2,
      goal: { of: "value", is: "≤", limit: 1.1 },
    },
  ],
  // The official SDKs would take more than two minutes.
  cases: httpServerCases.filter(({ subject }) => !subject.startsWith("sdk")),
  rounds: 1,
  warmUps: 0,
  isPinned: true,
  measure,
};

async function measure({ what, revision = "2025-11-25" }: Case): Promise<Measured> {
  await using server = new Subject(nodeCommand("subject CPU", what));
  using pump = await HttpPump.create(await openHttpEcho(server, revision));
  const idle = await residentMegabytes(server);
  await pump.run(connections, halfOfCalls);
  const half = await residentMegabytes(server);
  await pump.run(connections, halfOfCalls);
  const whole = await residentMegabytes(server);
  return { idle, half, whole, growth: whole / half };
}
