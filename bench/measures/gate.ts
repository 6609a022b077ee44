/** What the gate adds to a call, with nothing to write, with the ledger, and with audit and traces beside it. */

import { text } from "node:stream/consumers";
import type { Bench, Case, Measured } from "../bench.ts";
import { nodeCommand } from "../cpus.ts";
import { toRecord } from "../messages.ts";
import { Subject } from "../process.ts";
import { pathOf } from "../subjects.ts";

const reads = 40_000;
const writes = 4_000;
const records = 100_000;

export const gate: Bench = {
  name: "gate",
  title: "What the gate adds to a call of a tool that does nothing",
  figures: [
    { id: "read", title: "read", unit: "µs", digits: 1, goal: { of: "value", is: "≤", limit: 15 } },
    { id: "ledger", title: "write: grant, ledger", unit: "µs", digits: 0 },
    {
      id: "whole",
      title: "write: grant, ledger, trace, audit",
      unit: "µs",
      digits: 0,
      goal: { of: "value", is: "≤", limit: 120 },
    },
    { id: "audited", title: "read: trace, audit", unit: "µs", digits: 0 },
    { id: "rate", title: "audited writes", unit: "/s", digits: 0 },
    { id: "state", title: "state for 1 000 calls", unit: "kB", digits: 0 },
    {
      id: "chain",
      title: "verify 100 000 records",
      unit: "ms",
      digits: 0,
      goal: { of: "value", is: "≤", limit: 1000 },
    },
  ],
  cases: [{ subject: "genkan", what: pathOf("gate") }],
  rounds: 3,
  warmUps: 0, // each run has its own
  isPinned: true,
  measure: (each) => measureGate(each, reads, writes, records),
};

/** Starts the program, which checks every reply, and reads its figures. */
export async function measureGate(
  { what }: Case,
  readCount: number,
  writeCount: number,
  recordCount: number,
): Promise<Measured> {
  const args = [readCount, writeCount, recordCount].map(String);
  await using program = new Subject(nodeCommand("subject CPU", what, ...args));
  const printed = await Promise.race([text(program.stdout), program.failure]);
  const said: unknown = JSON.parse(printed);
  return Object.fromEntries(
    Object.entries(toRecord(said)).flatMap(([id, value]) =>
      typeof value === "number" ? [[id, value]] : [],
    ),
  );
}
