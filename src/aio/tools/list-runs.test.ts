import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeRun, openProbe, type Told } from "../../../fixtures/aio-probe.ts";

function manyRuns(count: number, id = (n: number): number => n): string {
  return Array.from({ length: count }, (_, index) =>
    makeRun(id(index + 1), { commercial: "+" }),
  ).join(";\n");
}

function idsOf({ items }: Told): readonly unknown[] {
  return items.map(({ run_id }: Told) => run_id);
}

describe("list_runs", () => {
  test("tells of each run its conditions, its counts, and whether it is the default", async () => {
    const seen = { informational: "+-x", commercial: "?!..", other: "+" };
    await using probe = await openProbe(
      `${makeRun(1, seen)}; ${makeRun(2, { commercial: "--" }, { status: "running", completed_at: null })};
       INSERT INTO observations (run_id, keyword_id, status, fetched_at) VALUES (1, 1, 'failed', '2025-01-01T00:00:00Z'), (1, 99, 'ok', NULL);
       UPDATE runs SET note = 'first', location = 'Berlin' WHERE id = 1; UPDATE runs SET engine = NULL, locale = NULL, device = NULL WHERE id = 2`,
    );
    const { data, warnings } = await probe.call("list_runs");
    assert.deepEqual(data, {
      items: [
        {
          run_id: 2,
          is_default: false,
          is_completed: false,
          status: "running",
          started_at: "2026-01-01T00:00:00Z",
          completed_at: null,
          engine: null,
          locale: null,
          device: null,
          location: null,
          note: null,
          keywords_from: "snapshot",
          targets: 2,
          observations: 2,
          ok: 2,
          failed: 0,
          unknown_status: 0,
          older: 0,
          outside: 0,
          aio_present: 0,
          aio_absent: 2,
          aio_unclear: 0,
        },
        {
          run_id: 1,
          is_default: true,
          is_completed: true,
          status: "completed",
          started_at: "2026-01-01T00:00:00Z",
          completed_at: "2026-01-01T00:00:01Z",
          engine: "google",
          locale: "en-US",
          device: "desktop",
          location: "Berlin",
          note: "first",
          keywords_from: "snapshot",
          targets: 8,
          observations: 8,
          ok: 4,
          failed: 1,
          unknown_status: 1,
          older: 1,
          outside: 1,
          aio_present: 2,
          aio_absent: 1,
          aio_unclear: 1,
        },
      ],
      count: 2,
      total: 2,
      truncated: false,
      default_run_id: 1,
      next_before: null,
      data_trust: "untrusted_external",
      redacted: false,
    });
    assert.deepEqual(warnings, []);
  });

  test("gives 20 runs, or 1 to 100, and takes no other limit", async () => {
    await using probe = await openProbe(manyRuns(101));
    assert.equal((await probe.ask("list_runs")).count, 20);
    for (const limit of [1, 99, 100]) {
      const told = await probe.ask("list_runs", { limit });
      assert.deepEqual([told.count, told.total, told.truncated], [limit, 101, true]);
      assert.equal(told.next_before, 101 - limit + 1);
    }
    for (const limit of [0, 101, -1, 1.5, "5", null])
      assert.equal((await probe.call("list_runs", { limit })).code, "invalid_arguments");
  });

  test("goes from page to page, the highest id first, and misses none", async () => {
    await using probe = await openProbe(manyRuns(7, (n) => n * n - 20));
    const seen: unknown[] = [];
    let before: unknown;
    do {
      const told = await probe.ask("list_runs", {
        limit: 3,
        ...(before !== undefined && { before }),
      });
      seen.push(...idsOf(told));
      before = told.next_before;
    } while (before !== null);
    assert.deepEqual(seen, [29, 16, 5, -4, -11, -16, -19]);
    assert.deepEqual(idsOf(await probe.ask("list_runs", { before: 5, limit: 1 })), [-4]);
    assert.deepEqual(idsOf(await probe.ask("list_runs", { before: "6", limit: 1 })), [5]);
    const none = await probe.ask("list_runs", { before: -19 });
    assert.deepEqual([none.items, none.total, none.next_before], [[], 7, null]);
    assert.equal(none.default_run_id, 29);
    for (const least of ["-9223372036854775808", "-9999999999999999999"])
      assert.deepEqual(idsOf(await probe.ask("list_runs", { before: least })), []);
    assert.equal((await probe.ask("list_runs", { before: "9999999999999999999" })).count, 7);
  });

  test("answers for a database without a run", async () => {
    await using probe = await openProbe("");
    const { items, count, total, default_run_id } = await probe.ask("list_runs");
    assert.deepEqual([items, count, total, default_run_id], [[], 0, 0, null]);
  });

  test("says why there is no total where there are more runs than are counted", async () => {
    const insert = (count: number): string =>
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) INSERT INTO runs (id, started_at, status) SELECT i, '', 'failed' FROM n`;
    for (const [count, total] of [
      [10_000, 10_000],
      [10_001, null],
    ] as const) {
      await using probe = await openProbe(insert(count));
      const told = await probe.ask("list_runs", { limit: 1 });
      assert.deepEqual([told.total, told.truncated], [total, true]);
      assert.equal("total_reason" in told, total === null);
    }
  });

  test("gives fewer runs, and says so, rather than more than a result may have", async () => {
    const note =
      "UPDATE runs SET note = printf('%.*c', 400, 'x'), location = printf('%.*c', 200, 'y')";
    await using probe = await openProbe(`${manyRuns(100)}; ${note}`);
    const { data, ok } = await probe.call("list_runs", { limit: 100 });
    const { count, truncated, next_before } = data as Told;
    assert.deepEqual([ok, truncated, count > 50, count < 100], [true, true, true, true]);
    assert.equal(
      (await probe.ask("list_runs", { before: next_before, limit: 1 })).items[0].run_id,
      next_before - 1,
    );
  });
});
