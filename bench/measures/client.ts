/** Echo calls per second that a client makes to the bare server, with 1 and with 64 in flight. */

import { text } from "node:stream/consumers";
import type { Bench, Case, Measured } from "../bench.ts";
import { nodeCommand } from "../cpus.ts";
import { toRecord } from "../messages.ts";
import { Subject } from "../process.ts";
import { clientCases, pathOf } from "../subjects.ts";

const warmMs = 300;
const runMs = 500;

export const client: Bench = {
  name: "client",
  title: "Echo calls a client makes per second, to the bare server",
  figures: [
    { id: "one", title: "1 in flight", unit: "/s", digits: 0 },
    {
      id: "many",
      title: "64 in flight",
      unit: "/s",
      digits: 0,
      goal: { of: "ratio", is: "≥", limit: 0.6 },
    },
  ],
  cases: clientCases,
  rounds: 3,
  warmUps: 0, // each run has its own
  isPinned: false, // the client and its server are, and the driver waits
  measure: (each) => driveClient(each, { flights: [1, 64], warmMs, runMs }),
};

export interface Job {
  readonly flights: readonly [number, number];
  readonly warmMs: number;
  readonly runMs: number;
}

/** Starts the program of a client and gives its rates. The client checks the replies. */
export async function driveClient(
  { what, revision = "2025-11-25" }: Case,
  job: Job,
): Promise<Measured> {
  const [command, ...args] = nodeCommand("subject CPU", pathOf("bare"));
  const argument = JSON.stringify({ command, args, revision, ...job });
  await using program = new Subject(nodeCommand("driver CPU", what, argument));
  const printed = await Promise.race([text(program.stdout), program.exited.then(() => "")]);
  if (printed === "") return program.failure;
  const said: unknown = JSON.parse(printed);
  const { rates } = toRecord(said);
  const { 0: one, 1: many } = toRecord(rates);
  if (typeof one === "number" && typeof many === "number") return { one, many };
  throw new Error(`The client printed ${printed}`);
}
