/** What a server on a SQLite file keeps in memory, with all its processes. */

import type { Bench, Case, Measured } from "../bench.ts";
import { findItem, listShelf, type Question } from "../sqlite/items.ts";
import { ItemPlace, sqliteCases } from "../sqlite/place.ts";
import { proportionalMegabytes } from "../sqlite/process-tree.ts";
import { ToolSession } from "../sqlite/session.ts";

const calls = 10_000;
const flight = 8;

export const sqliteMemory: Bench = {
  name: "sqlite-memory",
  title: "Memory of a server on a SQLite file, with all its processes (PSS)",
  figures: [
    { id: "idle", title: "after one call", unit: "MB", digits: 1 },
    { id: "busy", title: "after 10 000 more, 8 in flight", unit: "MB", digits: 1 },
  ],
  cases: sqliteCases,
  rounds: 1,
  warmUps: 0,
  isPinned: false,
  measure: (each) => measureSqliteMemory(each, calls),
};

export async function measureSqliteMemory({ subject }: Case, count: number): Promise<Measured> {
  using place = new ItemPlace(subject);
  await using session = await ToolSession.open(place.command);
  await place.ask(session, findItem, 1);
  const idle = await proportionalMegabytes(session.subject.pid);
  const askSome = async (question: Question, some: number): Promise<void> => {
    for (let n = 0; n < some; n += 1) await place.ask(session, question, 1 + (n % question.most));
  };
  const lanes = Array.from({ length: flight }, (_, lane) =>
    askSome(lane % 4 === 0 ? listShelf : findItem, count / flight),
  );
  await Promise.all(lanes);
  return { idle, busy: await proportionalMegabytes(session.subject.pid) };
}
