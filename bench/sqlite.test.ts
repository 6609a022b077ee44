// No time is asserted here, only that what the benches measure on SQLite files is right, and that they notice what is wrong.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Bench } from "./bench.ts";
import { measureSqliteCalls } from "./measures/sqlite-calls.ts";
import { measureSqliteDeadline } from "./measures/sqlite-deadline.ts";
import { measureSqliteMemory } from "./measures/sqlite-memory.ts";
import { measureSqliteStart } from "./measures/sqlite-start.ts";
import { timeTool } from "./measures/sqlite-aio.ts";
import { runRounds } from "./rounds.ts";
import { findItem, listShelf } from "./sqlite/items.ts";
import { ItemPlace } from "./sqlite/place.ts";
import { make } from "./sqlite/samples.ts";
import { ToolSession } from "./sqlite/session.ts";
import { summarize } from "./summary.ts";
import { toText } from "./table.ts";
import { Unavailable } from "./unavailable.ts";

// The peers are not asked here: they would have to be fetched.
for (const subject of ["bare", "genkan", "genkan-stateless"]) {
  test(`the server ${subject} answers from a SQLite file, one call in flight and several`, async () => {
    using place = new ItemPlace(subject);
    await using session = await ToolSession.open(place.command);
    await place.ask(session, findItem, 10_000);
    await Promise.all([1, 2, 100].map((shelf) => place.ask(session, listShelf, shelf)));
    assert.equal((await place.time(session, findItem, [3, 2, 1])).length, 3);
  });

  test(`each bench on a SQLite file has its figures of ${subject}`, async () => {
    const each = { subject, what: subject };
    const figures = [
      await measureSqliteCalls(each, 1, 3),
      await measureSqliteStart(each),
      process.platform === "linux" ? await measureSqliteMemory(each, 8) : { pss: 1 },
    ];
    for (const value of figures.flatMap((measured) => Object.values(measured)))
      assert.ok(value > 0, JSON.stringify(figures));
  });
}

test("a query without end is stopped, and others are answered meanwhile", async () => {
  const each = { subject: "genkan", what: "genkan" };
  const { over99 = -1, beside50 = -1 } = await measureSqliteDeadline(each, 2);
  assert.ok(over99 >= 0 && beside50 > 0);
});

test("the aio tools answer on a sample", async () => {
  const path = make("small", 8, 20);
  for (const tool of ["list_runs", "compare_buckets", "get_keyword_evidence"])
    assert.equal((await timeTool(tool, path, 1, 2)).length, 2);
});

test("a wrong answer ends a measurement", async () => {
  using place = new ItemPlace("bare");
  await using session = await ToolSession.open(place.command);
  const wrong = { ...findItem, listAnswer: () => [] };
  await assert.rejects(
    place.ask(session, wrong, 1),
    /^AssertionError.*: Wrong answer: .*Item number 1/,
  );
});

const race: Bench = {
  name: "race",
  title: "Race",
  figures: [
    {
      id: "time",
      title: "time",
      unit: "ms",
      digits: 0,
      goal: { of: "ratio", is: "≤", limit: 3 },
      isToLead: true,
    },
  ],
  cases: [
    { subject: "bare", what: "1" },
    { subject: "genkan", what: "2" },
    { subject: "slow", what: "4" },
  ],
  rounds: 1,
  warmUps: 0,
  isPinned: false,
  measure: async ({ what }) => {
    if (what === "") throw new Unavailable("not fetched", "no network");
    return { time: Number(what) };
  },
};

test("a figure that is to lead is met when it is below every peer, missed when it is not", async () => {
  assert.match(await tell(race), /^genkan +2 = 2\.00 × bare, met$/m);
  const beaten = [...race.cases, { subject: "quick", what: "2" }];
  assert.match(await tell({ ...race, cases: beaten }), /^genkan +2 = 2\.00 × bare, missed$/m);
});

test("a peer that cannot be had is said so, and leaves open whether Genkan leads", async () => {
  const lone = [...race.cases, { subject: "far", what: "" }];
  const text = await tell({ ...race, cases: lone });
  assert.match(text, /goal: ≤ 3 × bare, below every peer/);
  assert.match(text, /^genkan +2 = 2\.00 × bare$/m);
  assert.match(text, /^far +not fetched$/m);
  assert.match(text, /^Not measured: far: not fetched: no network$/m);
});

async function tell(bench: Bench): Promise<string> {
  return toText(summarize(bench, await runRounds(bench, bench.cases, bench.rounds)));
}
