/** What a server keeps in memory: open and idle, and after 50 000 and 100 000 calls. */

import { open } from "../ask.ts";
import type { Bench, Case, Measured } from "../bench.ts";
import { nodeCommand } from "../cpus.ts";
import { EchoPump } from "../echo-pump.ts";
import { Subject } from "../process.ts";
import { residentMegabytes } from "../resident.ts";
import { serverCases } from "../subjects.ts";

const halfOfCalls = 50_000;
const flight = 64;

export const memory: Bench = {
  name: "memory",
  title: "Resident memory of a server",
  figures: [
    { id: "idle", title: "idle", unit: "MB", digits: 1 },
    { id: "half", title: "after 50 000 calls", unit: "MB", digits: 1 },
    {
      id: "whole",
      title: "after 100 000 calls",
      unit: "MB",
      digits: 1,
      goal: { of: "value", is: "≤", limit: 80 },
    },
    {
      id: "growth",
      title: "100 000 / 50 000",
      unit: "×",
      digits: 2,
      goal: { of: "value", is: "≤", limit: 1.1 },
    },
  ],
  cases: serverCases,
  rounds: 1,
  warmUps: 0,
  isPinned: true,
  measure,
};

async function measure({ what, revision = "2025-11-25" }: Case): Promise<Measured> {
  await using server = new Subject(nodeCommand("subject CPU", what));
  await open(server, revision);
  const idle = await residentMegabytes(server);
  const pump = await EchoPump.create(server, revision);
  await pump.run(flight, halfOfCalls);
  const half = await residentMegabytes(server);
  await pump.run(flight, halfOfCalls);
  const whole = await residentMegabytes(server);
  return { idle, half, whole, growth: whole / half };
}
