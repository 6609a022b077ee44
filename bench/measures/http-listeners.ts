/** From a change of the list of tools until 1 000 listening connections have heard of it, and what a connection weighs. */

import type { Bench, Case, Measured } from "../bench.ts";
import { nodeCommand } from "../cpus.ts";
import { HttpPeer } from "../http-peer.ts";
import { Listeners } from "../listeners.ts";
import { Subject } from "../process.ts";
import { residentMegabytes } from "../resident.ts";
import { median } from "../statistics.ts";
import { pathOf } from "../subjects.ts";

const listenerCount = 1_000;
const warmUps = 5;
const changes = 20;

export const httpListeners: Bench = {
  name: "http-listeners",
  title: "One change told to 1 000 listeners over HTTP",
  figures: [
    { id: "first", title: "first listener", unit: "ms", digits: 1 },
    { id: "last", title: "last listener", unit: "ms", digits: 1 },
    { id: "weight", title: "memory of a listener", unit: "kB", digits: 0 },
  ],
  cases: [{ subject: "genkan", revision: "2026-07-28", what: pathOf("http-listeners") }],
  rounds: 3,
  warmUps: 0, // each run has its own
  isPinned: true,
  measure: (each) => measureListeners(each, listenerCount),
};

/** @param count how many listen */
export async function measureListeners(
  { what, revision = "2026-07-28" }: Case,
  count: number,
): Promise<Measured> {
  await using server = new Subject(nodeCommand("subject CPU", what));
  const peer = await HttpPeer.open(server, revision);
  const before = await residentMegabytes(server);
  using listeners = await Listeners.open(peer, count);
  const weight = ((await residentMegabytes(server)) - before) * (1_000 / count);
  const heard: { readonly first: number; readonly last: number }[] = [];
  for (let i = -warmUps; i < changes; i += 1) {
    const times = await listeners.hear(() => server.stdin.write("change\n"));
    if (i >= 0) heard.push(times);
  }
  const first = median(heard.map((each) => each.first)) ?? 0;
  const last = median(heard.map((each) => each.last)) ?? 0;
  return { first, last, weight };
}
