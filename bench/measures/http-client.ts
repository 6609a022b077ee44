/** Echo calls per second that a client makes over HTTP to the bare server, with 1 and with 64 in flight. */

import type { Bench, Case, Measured } from "../bench.ts";
import { runClient, type Job } from "../client-program.ts";
import { nodeCommand } from "../cpus.ts";
import { readPort } from "../http-peer.ts";
import { Subject } from "../process.ts";
import { httpClientCases, pathOf } from "../subjects.ts";

/** Longer than over stdio, where as many calls, and so as warm a program, take a fraction of the time. */
const warmMs = 1_000;
const runMs = 500;

export const httpClient: Bench = {
  name: "http-client",
  title: "Echo calls a client makes per second over HTTP, to the bare server",
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
  cases: httpClientCases,
  rounds: 3,
  warmUps: 0, // each run has its own
  isPinned: false, // the client and its server are, and the driver waits
  measure: (each) => driveHttpClient(each, { flights: [1, 64], warmMs, runMs }),
};

/** Starts the bare server, then the program of a client. */
export async function driveHttpClient(
  { what, revision = "2025-11-25" }: Case,
  job: Job,
): Promise<Measured> {
  await using server = new Subject(nodeCommand("subject CPU", pathOf("http-bare")));
  const url = `http://127.0.0.1:${await readPort(server)}/mcp`;
  return await runClient(what, { url, revision, ...job });
}
