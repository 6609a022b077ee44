// Which run is meant: without run_id, by run_id, and when there is none.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { makeRun, openProbe, type OpenProbe, type Told } from "../../fixtures/aio-probe.ts";
import { createTables } from "./tables.ts";

const seen = { informational: "+-" };
const at = (time: string | null, more = {}) => ({ completed_at: time, ...more });

const cases: readonly (readonly [what: string, sql: readonly string[], run: number | null])[] = [
  ["no run", [], null],
  ["a run that is still running", [makeRun(1, seen, at(null, { status: "running" }))], null],
  ["a completed run without an observation", [makeRun(1, { informational: ".." })], null],
  ["a status of other letters", [makeRun(1, seen, { status: "Completed" })], null],
  ["an end without a status", [makeRun(1, seen, { status: "failed" })], null],
  ["a status without an end", [makeRun(1, seen, at(null))], null],
  ["an end that a program wrote as a word", [makeRun(1, seen, at("None"))], null],
  ["an end that is an empty text", [makeRun(1, seen, at(""))], null],
  [
    "the later end, whatever the ids",
    [makeRun(2, seen, at("2026-01-01T00:00:00Z")), makeRun(1, seen, at("2026-01-02T00:00:00Z"))],
    1,
  ],
  [
    "a later run that never ended, one without an observation, and one that failed",
    [
      makeRun(1, seen),
      makeRun(2, seen, at(null, { status: "running" })),
      makeRun(3, { informational: ".." }),
      makeRun(4, seen, { status: "failed" }),
    ],
    1,
  ],
  ["a run in which everything failed", [makeRun(1, seen), makeRun(2, { informational: "xx" })], 2],
  [
    "two ends at once: the later start",
    [
      makeRun(1, seen, at("2026-01-02T00:00:00Z")),
      makeRun(2, seen, at("2026-01-02T00:00:00Z")),
      "UPDATE runs SET started_at = '2026-01-01T12:00:00Z' WHERE id = 1",
    ],
    1,
  ],
  [
    "two of the same start and end: the higher id",
    [makeRun(7, seen, at("2026-01-02T00:00:00Z")), makeRun(3, seen, at("2026-01-02T00:00:00Z"))],
    7,
  ],
  ["a negative id", [makeRun(-5, seen, at("2026-01-02T00:00:00Z"))], -5],
];

describe("the default run, of", () => {
  let probe: OpenProbe;
  before(async () => {
    probe = await openProbe("");
  });
  after(() => probe[Symbol.asyncDispose]());

  for (const [what, sql, expected] of cases)
    test(what, async () => {
      probe.rewrite(sql.join(";\n"));
      const list = await probe.ask("list_runs");
      assert.equal(list.default_run_id, expected);
      assert.deepEqual(
        list.items.filter((run: Told) => run.is_default).map((run: Told) => run.run_id),
        expected === null ? [] : [expected],
      );
      for (const [tool, args] of [
        ["compare_buckets", {}],
        ["get_keyword_evidence", { keyword: "informational 1" }],
      ] as const) {
        const { ok, code, data, hint } = await probe.call(tool, args);
        if (expected === null) {
          assert.deepEqual([ok, code], [false, "not_found"]);
          assert.match(hint, /Call list_runs/);
        } else {
          const { run } = data as Told;
          assert.deepEqual([run.run_id, run.is_default, run.is_completed], [expected, true, true]);
        }
      }
    });
});

describe("a run that is named", () => {
  test("may be any, and says what it lacks", async () => {
    const unfinished = makeRun(2, seen, at(null, { status: "running" }));
    await using probe = await openProbe(
      [makeRun(1, seen), unfinished, makeRun(3, { informational: ".." })].join(";\n"),
    );
    const told = [];
    for (const run_id of [1, 2, 3]) {
      const { ok, data, warnings } = await probe.call("compare_buckets", { run_id });
      assert.equal(ok, true);
      const { run } = data as Told;
      told.push([run.run_id, run.is_default, run.is_completed, warnings]);
    }
    assert.deepEqual(told, [
      [1, true, true, []],
      [2, false, false, ["Run 2 is not completed: what it says may be a part, and can change"]],
      [3, false, true, ["Run 3 has no observation"]],
    ]);
  });

  test("is not found by an id that is not there, and never replaced by another", async () => {
    await using probe = await openProbe(makeRun(1, seen));
    for (const run_id of [0, 2, -1, "2", "9223372036854775808", "-9223372036854775809"]) {
      const { code, message, hint } = await probe.call("compare_buckets", { run_id });
      assert.deepEqual(
        [code, message],
        ["not_found", `There is no run ${run_id} in this database`],
      );
      assert.match(hint, /list_runs/);
    }
  });

  test("is taken by the id that list_runs gives, also beyond what JSON's numbers hold", async () => {
    const ids = [
      "9007199254740991",
      "9007199254740992",
      "9223372036854775807",
      "-9223372036854775808",
    ];
    await using probe = await openProbe(ids.map((id) => makeRun(BigInt(id), seen)).join(";\n"));
    const { items, default_run_id } = await probe.ask("list_runs");
    assert.deepEqual(
      items.map((run: Told) => run.run_id),
      ["9223372036854775807", "9007199254740992", 9007199254740991, "-9223372036854775808"],
    );
    assert.equal(default_run_id, "9223372036854775807");
    for (const { run_id } of items) {
      assert.equal((await probe.ask("compare_buckets", { run_id })).run.run_id, run_id);
      assert.equal(
        (await probe.ask("compare_buckets", { run_id: `${run_id}` })).run.run_id,
        run_id,
      );
    }
  });

  test("is refused by its form", async () => {
    await using probe = await openProbe(makeRun(1, seen));
    for (const run_id of [
      "",
      "1 ",
      "one",
      "0x1",
      "1e3",
      "--1",
      1.5,
      null,
      true,
      [1],
      2 ** 53,
      "1".repeat(20),
    ])
      assert.equal((await probe.call("compare_buckets", { run_id })).code, "invalid_arguments");
  });
});

describe("an end is a time, in a column of", () => {
  for (const type of ["TEXT", "DATETIME", "TIMESTAMP", "VARCHAR(30) COLLATE NOCASE"])
    test(type, async () => {
      const tables = createTables.replace("completed_at TEXT", `completed_at ${type}`);
      await using probe = await openProbe("", { tables });
      for (const [value, isEnd] of [
        ["'2026-01-02T00:00:00Z'", true],
        ["'2026-01-02 00:00:00'", true],
        ["1767312000", true],
        ["''", false],
        ["' '", false],
        ["'-'", false],
        ["'#N/A'", false],
        ["'(none)'", false],
        ["'+2026'", type !== "TEXT" && !type.startsWith("VARCHAR")], // it is a number there
        ["'None'", false],
        ["'null'", false],
        ["x'32303236'", false],
        ["NULL", false],
      ] as const) {
        probe.rewrite(`${makeRun(1, seen)}; UPDATE runs SET completed_at = ${value}`);
        const { items, default_run_id } = await probe.ask("list_runs");
        assert.deepEqual([items[0].is_completed, default_run_id], [isEnd, isEnd ? 1 : null], value);
      }
    });
});

test("a run whose id is no whole number, as in a table without a key, is never meant", async () => {
  const tables = createTables
    .replace("id           INTEGER PRIMARY KEY", "id INTEGER")
    .replace(/(run_id *INTEGER) NOT NULL( [^,]*,\n *keyword_id[^,]*,\n *status)/, "$1$2");
  await using probe = await openProbe(makeRun(1, seen), { tables });
  for (const id of ["1.5", "'one'", "NULL", "x'31'"]) {
    probe.rewrite(`${makeRun(1, seen)}; ${makeRun(2, seen)};
      UPDATE runs SET id = ${id} WHERE id = 2; UPDATE observations SET run_id = ${id} WHERE run_id = 2`);
    const { run } = await probe.ask("compare_buckets");
    assert.deepEqual([run.run_id, run.is_default], [1, true], id);
    assert.equal((await probe.ask("list_runs")).default_run_id, 1, id);
  }
});
