/** Echo calls per second that a client makes to the bare server, with 1 and with 64 in flight. */

import type { Bench, Case, Measured } from "../bench.ts";
import { runClient, type Job } from "../client-program.ts";
import { nodeCommand } from "../cpus.ts";
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

/** Starts the program of a client, which starts the server itself. */
export function driveClient({ what, revision = "2025-11-25" }: Case, job: Job): Promise<Measured> {
  const [command, ...args] = nodeCommand("subject CPU", pathOf("bare"));
  return runClient(what, { command, args, revision, ...job });
}
