/** How long a call takes that reads one row, and one hundred, from a SQLite file. */

import type { Bench, Case, Measured } from "../bench.ts";
import { placeCommand } from "../cpus.ts";
import { findItem, listShelf, type Question } from "../sqlite/items.ts";
import { ItemPlace, sqliteCases } from "../sqlite/place.ts";
import { ToolSession } from "../sqlite/session.ts";
import { percentile } from "../statistics.ts";

const warmCalls = 1_000;
const calls = 3_000;

export const sqliteCalls: Bench = {
  name: "sqlite-calls",
  title: "A call that reads a SQLite file, one in flight",
  figures: [
    {
      id: "one50",
      title: "one row, p50",
      unit: "µs",
      digits: 0,
      goal: { of: "ratio", is: "≤", limit: 3 },
      isToLead: true,
    },
    { id: "one99", title: "p99", unit: "µs", digits: 0 },
    { id: "hundred50", title: "100 rows, p50", unit: "µs", digits: 0 },
    { id: "hundred99", title: "p99", unit: "µs", digits: 0 },
  ],
  cases: sqliteCases,
  rounds: 5,
  warmUps: 0, // each run has its own
  isPinned: true, // a server keeps to its CPU with all its processes
  measure: (each) => measureSqliteCalls(each, warmCalls, calls),
};

export async function measureSqliteCalls(
  { subject }: Case,
  warmCount: number,
  count: number,
): Promise<Measured> {
  using place = new ItemPlace(subject);
  await using session = await ToolSession.open(placeCommand("subject CPU", place.command));
  const time = async (question: Question): Promise<readonly number[]> => {
    const list = Array.from(
      { length: warmCount + count },
      (_, n) => 1 + ((n * 7919) % question.most),
    );
    const durations = await place.time(session, question, list);
    return durations.slice(warmCount).map((ms) => ms * 1000);
  };
  const one = await time(findItem);
  const hundred = await time(listShelf);
  return {
    one50: percentile(one, 0.5) ?? 0,
    one99: percentile(one, 0.99) ?? 0,
    hundred50: percentile(hundred, 0.5) ?? 0,
    hundred99: percentile(hundred, 0.99) ?? 0,
  };
}
