/** From the start of the process to the first reply, and to the list of tools. */

import { ask } from "../ask.ts";
import type { Bench, Case, Measured } from "../bench.ts";
import { nodeCommand } from "../cpus.ts";
import { listRequest, openedNotification, openingRequest, toRecord } from "../messages.ts";
import { Subject } from "../process.ts";
import { serverCases } from "../subjects.ts";

export const start: Bench = {
  name: "start",
  title: "Start of a server: time to the first reply, and to tools/list",
  figures: [
    {
      id: "first",
      title: "first reply",
      unit: "ms",
      digits: 1,
      goal: { of: "ratio", is: "≤", limit: 1.35 },
    },
    { id: "list", title: "tools/list", unit: "ms", digits: 1 },
  ],
  cases: serverCases,
  rounds: 9,
  warmUps: 1, // fills the page cache
  isPinned: false, // V8 starts on several threads
  measure,
};

async function measure({ what, revision = "2025-11-25" }: Case): Promise<Measured> {
  const startedAt = performance.now();
  await using server = new Subject(nodeCommand("anywhere", what));
  const first = await ask(server, openingRequest(revision));
  server.stdin.write(openedNotification(revision));
  const list = await ask(server, listRequest(2, revision));
  const { tools } = toRecord(list.result);
  if (!Array.isArray(tools) || tools.length !== 1) throw new Error("Wrong list of tools");
  return { first: first.at - startedAt, list: list.at - startedAt };
}
