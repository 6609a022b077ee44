/** By how much a query without end outlives its deadline, and what becomes of other calls meanwhile. */

import type { Bench, Case, Measured } from "../bench.ts";
import { countForEver, findItem } from "../sqlite/items.ts";
import { ItemPlace, sqliteCases } from "../sqlite/place.ts";
import { ToolSession } from "../sqlite/session.ts";
import { percentile } from "../statistics.ts";

const calls = 100;

export const sqliteDeadline: Bench = {
  name: "sqlite-deadline",
  title: "A query without end under a deadline of 500 ms, 100 times; the peers know no deadline",
  figures: [
    { id: "over50", title: "overrun, p50", unit: "ms", digits: 1 },
    {
      id: "over99",
      title: "overrun, p99",
      unit: "ms",
      digits: 1,
      goal: { of: "value", is: "≤", limit: 50 },
    },
    { id: "most", title: "most", unit: "ms", digits: 1 },
    { id: "beside50", title: "one row meanwhile, p50", unit: "ms", digits: 2 },
    { id: "beside99", title: "p99", unit: "ms", digits: 1 },
  ],
  cases: sqliteCases.filter(({ subject }) => subject === "genkan"),
  rounds: 1,
  warmUps: 0,
  isPinned: false,
  measure: (each) => measureSqliteDeadline(each, calls),
};

export async function measureSqliteDeadline({ subject }: Case, count: number): Promise<Measured> {
  using place = new ItemPlace(subject);
  await using session = await ToolSession.open(place.command);
  await place.ask(session, findItem, 1);
  const { deadlineMs = 0 } = countForEver;
  const overruns: number[] = [];
  const beside: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const endless = session.call(countForEver.tool, { [countForEver.parameter]: 0 });
    for (let other = 1; other <= 5; other += 1)
      beside.push((await place.ask(session, findItem, other)).ms);
    const { result, ms } = await endless;
    if (result["isError"] !== true || ms < deadlineMs)
      throw new Error(`Wrong end after ${ms} ms: ${JSON.stringify(result).slice(0, 300)}`);
    overruns.push(ms - deadlineMs);
  }
  return {
    over50: percentile(overruns, 0.5) ?? 0,
    over99: percentile(overruns, 0.99) ?? 0,
    most: percentile(overruns, 1) ?? 0,
    beside50: percentile(beside, 0.5) ?? 0,
    beside99: percentile(beside, 0.99) ?? 0,
  };
}
