/** From the start of a server to its first answer from a SQLite file. */

import type { Bench, Case, Measured } from "../bench.ts";
import { findItem } from "../sqlite/items.ts";
import { ItemPlace, sqliteCases } from "../sqlite/place.ts";
import { ToolSession } from "../sqlite/session.ts";

export const sqliteStart: Bench = {
  name: "sqlite-start",
  title: "Start of a server on a SQLite file: time to the first answer of a tool",
  figures: [
    {
      id: "first",
      title: "first answer",
      unit: "ms",
      digits: 1,
      goal: { of: "value", is: "≤", limit: 200 },
    },
  ],
  cases: sqliteCases,
  rounds: 9,
  warmUps: 1, // fills the page cache
  isPinned: false,
  measure: measureSqliteStart,
};

export async function measureSqliteStart({ subject }: Case): Promise<Measured> {
  using place = new ItemPlace(subject);
  const startedAt = performance.now();
  await using session = await ToolSession.open(place.command);
  await place.ask(session, findItem, 1);
  return { first: performance.now() - startedAt };
}
