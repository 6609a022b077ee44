import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { makeRun, openProbe, type Told } from "../../../fixtures/aio-probe.ts";
import { createTables } from "../tables.ts";
import { wilsonInterval } from "../wilson.ts";

const names = ["informational", "commercial", "transactional", "navigational"];

function countsOf({
  n_targets,
  n_total,
  n_failed,
  n_excluded,
  n_used,
  n_aio,
}: Told): readonly number[] {
  return [n_targets, n_total, n_failed, n_excluded, n_used, n_aio];
}

describe("compare_buckets", () => {
  test("tells all four buckets in their order, also the empty ones, and null for every rate without a denominator", async () => {
    await using probe = await openProbe(
      makeRun(1, { transactional: "++-x?!.", navigational: "xx" }),
    );
    const { buckets, all, outside_buckets, keywords_from } = await probe.ask("compare_buckets");
    assert.deepEqual(
      buckets.map(({ bucket }: Told) => bucket),
      names,
    );
    assert.deepEqual(buckets.map(countsOf), [
      [0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
      [7, 6, 1, 2, 3, 2],
      [2, 2, 2, 0, 0, 0],
    ]);
    assert.deepEqual(
      buckets.map(({ aio_rate, failure_rate, coverage }: Told) => [
        aio_rate,
        failure_rate,
        coverage,
      ]),
      [
        [null, null, null],
        [null, null, null],
        [2 / 3, 1 / 6, 6 / 7],
        [null, 1, 1],
      ],
    );
    assert.deepEqual(
      buckets.map((told: Told) => [told.aio_interval_95, told.failure_interval_95]),
      [
        [null, null],
        [null, null],
        [wilsonInterval(2, 3), wilsonInterval(1, 6)],
        [null, wilsonInterval(2, 2)],
      ],
    );
    assert.deepEqual(countsOf(all), [9, 8, 3, 2, 3, 2]);
    assert.deepEqual(countsOf(outside_buckets), [0, 0, 0, 0, 0, 0]);
    assert.equal(keywords_from, "snapshot");
  });

  test("loses no keyword: those of another bucket and of none are counted apart, and told", async () => {
    const seen = { commercial: "+", Commercial: "-", "commercial ": "x", other: "+", null: "-+" };
    await using probe = await openProbe(makeRun(1, seen));
    const { data, warnings } = await probe.call("compare_buckets");
    const { buckets, outside_buckets, all } = data as Told;
    assert.deepEqual(countsOf(buckets[1]), [1, 1, 0, 0, 1, 1]);
    assert.deepEqual(countsOf(outside_buckets), [5, 5, 1, 0, 4, 2]);
    assert.deepEqual(countsOf(all), [6, 6, 1, 0, 5, 3]);
    assert.deepEqual(warnings, [
      "Keywords in a bucket that is none of the four, letter by letter: 3",
      "Keywords in no bucket: 2",
    ]);
  });

  for (const [what, last, warned] of [
    ["of a run, and in another bucket", "", 4],
    ["of today", "; DELETE FROM run_keywords", 8],
  ] as const)
    test(`counts a keyword once that a table without a key has several times: one ${what}`, async () => {
      const tables = createTables
        .replaceAll(/,\n\s*PRIMARY KEY[^\n]*\n\) WITHOUT ROWID/g, ")")
        .replace("id      INTEGER PRIMARY KEY", "id INTEGER")
        .replace(" UNIQUE", "");
      await using probe = await openProbe(
        `${makeRun(1, { informational: "+-x", commercial: "." })};
        INSERT INTO run_keywords SELECT run_id, keyword_id, keyword, 'navigational' FROM run_keywords;
        INSERT INTO keywords SELECT * FROM keywords; INSERT INTO keywords SELECT DISTINCT * FROM keywords${last}`,
        { tables },
      );
      const { data, warnings } = await probe.call("compare_buckets");
      const { buckets, all } = data as Told;
      assert.deepEqual(buckets.map(countsOf), [
        [3, 3, 1, 0, 2, 1],
        [1, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0],
      ]);
      assert.deepEqual(countsOf(all), [4, 3, 1, 0, 2, 1]);
      assert.ok(
        warnings.includes(
          `Rows of keywords not counted, as their keyword has another in this run: ${warned}`,
        ),
      );
      const [run] = (await probe.ask("list_runs")).items;
      assert.deepEqual([run.targets, run.observations, run.ok, run.failed], [4, 3, 2, 1]);
    });

  test("takes the buckets from the run's own snapshot, not from the keywords of today", async () => {
    await using probe = await openProbe(
      `${makeRun(1, { informational: "++" })}; UPDATE keywords SET bucket = 'commercial', keyword = 'renamed ' || id; DELETE FROM keywords WHERE id = 2`,
    );
    const { buckets } = await probe.ask("compare_buckets");
    assert.deepEqual(buckets.map(countsOf)[0], [2, 2, 0, 0, 2, 2]);
    assert.deepEqual(buckets.map(countsOf)[1], [0, 0, 0, 0, 0, 0]);
  });

  test("reads a run without a snapshot by the keywords of today, and says so", async () => {
    const legacy = `${makeRun(1, { informational: "+-" })}; UPDATE keywords SET bucket = 'commercial' WHERE id = 2`;
    for (const [last, keywords_from] of [
      ["", "snapshot"],
      ["; DELETE FROM run_keywords", "current"],
      ["; DROP TABLE run_keywords", "current"],
    ] as const) {
      await using probe = await openProbe(legacy + last);
      const { data, warnings } = await probe.call("compare_buckets");
      const told = data as Told;
      assert.equal(told.keywords_from, keywords_from);
      assert.deepEqual(
        told.buckets.map(({ n_aio, n_used }: Told) => [n_aio, n_used]),
        keywords_from === "snapshot"
          ? [
              [1, 2],
              [0, 0],
              [0, 0],
              [0, 0],
            ]
          : [
              [1, 1],
              [0, 1],
              [0, 0],
              [0, 0],
            ],
      );
      assert.deepEqual(
        warnings.filter((text) => text.includes("those of today")),
        keywords_from === "snapshot"
          ? []
          : [
              "The keywords and buckets are those of today, as no snapshot of them was kept: they may have changed since the run",
            ],
      );
      const { items } = await probe.ask("list_runs");
      assert.equal(items[0].keywords_from, keywords_from);
    }
  });

  test("counts the last of several observations of a keyword: by the time of its fetch, then by its id", async () => {
    const see = (
      id: number,
      keyword: number,
      status: string,
      aio: string,
      fetched: string,
    ): string =>
      `INSERT INTO observations (id, run_id, keyword_id, status, aio_present, fetched_at)
       VALUES (${id}, 1, ${keyword}, '${status}', ${aio}, ${fetched})`;
    await using probe = await openProbe(
      [
        makeRun(1, { informational: "....." }),
        see(10, 1, "failed", "NULL", "'2026-01-01T00:00:00Z'"),
        see(11, 1, "ok", "1", "'2026-01-01T00:00:01Z'"),
        see(21, 2, "ok", "1", "'2026-01-01T00:00:01Z'"), // the later one has the lower id
        see(20, 2, "failed", "NULL", "'2026-01-01T00:00:02Z'"),
        see(30, 3, "ok", "1", "'2026-01-01T00:00:00Z'"), // at once
        see(31, 3, "ok", "0", "'2026-01-01T00:00:00Z'"),
        see(41, 4, "ok", "1", "NULL"), // a time beats none
        see(40, 4, "ok", "0", "'2026-01-01T00:00:00Z'"),
        see(50, 5, "ok", "0", "NULL"),
        see(51, 5, "ok", "1", "NULL"),
      ].join(";\n"),
    );
    const { data, warnings } = await probe.call("compare_buckets");
    assert.deepEqual(countsOf((data as Told).buckets[0]), [5, 5, 1, 0, 4, 2]);
    assert.deepEqual(warnings, [
      "Observations not counted, as their keyword has a later one in this run: 5",
    ]);
    const evidence = [];
    for (const n of [1, 2, 3, 4, 5]) {
      const told = await probe.ask("get_keyword_evidence", { keyword: `informational ${n}` });
      evidence.push([told.observation.observation_id, told.outcome, told.observation.older]);
    }
    assert.deepEqual(evidence, [
      [11, "aio", 1],
      [20, "failed", 1],
      [31, "no_aio", 1],
      [40, "no_aio", 1],
      [51, "aio", 1],
    ]);
  });

  test("leaves out observations of keywords that the run has not, and says how many", async () => {
    await using probe = await openProbe(
      `${makeRun(1, { informational: "+" })}; INSERT INTO observations (run_id, keyword_id, status, aio_present)
       VALUES (1, 99, 'ok', 1), (1, 98, 'failed', NULL), (1, 98, 'ok', 1)`,
    );
    const { data, warnings } = await probe.call("compare_buckets");
    assert.deepEqual(countsOf((data as Told).all), [1, 1, 0, 0, 1, 1]);
    assert.deepEqual(warnings, [
      "Observations not counted, as their keyword has a later one in this run: 1",
      "Observations not counted, as their keyword is not among the run's keywords: 2",
    ]);
  });

  test("warns of a bucket whose rate rests on less than 90 % of its keywords", async () => {
    await using probe = await openProbe(
      makeRun(1, {
        informational: "+--------x",
        commercial: "+-------xx",
        navigational: "+-------..",
      }),
    );
    const { buckets } = await probe.ask("compare_buckets");
    assert.deepEqual(
      buckets.map(({ coverage_warning }: Told) => coverage_warning !== null),
      [false, true, false, true],
    );
  });

  test("compares four buckets of other names, and no three, five or two alike", async () => {
    const buckets = ["brand", "problem", "solution", "price"];
    await using probe = await openProbe(makeRun(1, { price: "+", informational: "+" }), {
      buckets,
    });
    const told = await probe.ask("compare_buckets");
    assert.deepEqual(
      told.buckets.map(({ bucket, n_aio }: Told) => [bucket, n_aio]),
      [
        ["brand", 0],
        ["problem", 0],
        ["solution", 0],
        ["price", 1],
      ],
    );
    for (const wrong of [
      ["a", "b", "c"],
      ["a", "b", "c", "d", "e"],
      ["a", "b", "c", "a"],
      ["a", "b", "c", ""],
      ["a", "b", "c", "d".repeat(101)],
    ])
      await assert.rejects(openProbe("", { buckets: wrong }), {
        code: "invalid-buckets",
        message: /expected four different names of 1 to 100 characters/,
      });
  });

  test("counts as one counts by hand, whatever a run saw", async () => {
    const line = fc.string({ unit: fc.constantFrom("+", "-", "x", "?", "!", "."), maxLength: 12 });
    const seen = fc.record({
      informational: line,
      commercial: line,
      navigational: line,
      other: line,
    });
    await using probe = await openProbe("");
    await fc.assert(
      fc.asyncProperty(seen, async (lines) => {
        const letters = Object.values(lines).join("");
        fc.pre(/[^.]/.test(letters));
        probe.rewrite(makeRun(1, lines));
        const told = await probe.ask("compare_buckets");
        const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
        const byHand = (text: string): readonly number[] => [
          text.length,
          count(text, /[^.]/g),
          count(text, /x/g),
          count(text, /[?!]/g),
          count(text, /[-+]/g),
          count(text, /\+/g),
        ];
        const { informational, commercial, navigational, other } = lines;
        assert.deepEqual(
          told.buckets.map(countsOf),
          [informational, commercial, "", navigational].map(byHand),
        );
        assert.deepEqual(countsOf(told.outside_buckets), byHand(other));
        assert.deepEqual(countsOf(told.all), byHand(letters));
        for (const { n_total, n_failed, n_excluded, n_used } of [...told.buckets, told.all])
          assert.equal(n_total, n_failed + n_excluded + n_used);
        const [run] = (await probe.ask("list_runs")).items;
        assert.deepEqual(
          [
            run.targets,
            run.observations,
            run.failed,
            run.aio_unclear + run.unknown_status,
            run.aio_present + run.aio_absent,
            run.aio_present,
          ],
          byHand(letters),
        );
      }),
      { numRuns: 30 },
    );
  });
});
