import assert from "node:assert/strict";
import { test } from "node:test";
import { addOutcome, emptyTally, toRates, type Tally } from "./rates.ts";
import type { Outcome } from "./outcomes.ts";

function tally(targets: number, counts: Partial<Record<Outcome, number>>): Tally {
  return { targets, outcomes: { ...emptyTally.outcomes, ...counts } };
}

test("toRates() counts what failed and what is unclear in no rate of AI Overviews", () => {
  const rates = toRates(tally(20, { aio: 3, no_aio: 5, failed: 6, unclear: 1, unknown_status: 1 }));
  const { n_targets, n_total, n_failed, n_excluded, n_used, n_aio } = rates;
  assert.deepEqual(
    { n_targets, n_total, n_failed, n_excluded, n_used, n_aio },
    { n_targets: 20, n_total: 16, n_failed: 6, n_excluded: 2, n_used: 8, n_aio: 3 },
  );
  assert.deepEqual([rates.aio_rate, rates.failure_rate, rates.coverage], [3 / 8, 6 / 16, 16 / 20]);
});

test("toRates() gives null for every rate without a denominator", () => {
  const empty = toRates(emptyTally);
  assert.deepEqual(
    [empty.aio_rate, empty.aio_interval_95, empty.failure_rate, empty.failure_interval_95],
    [null, null, null, null],
  );
  assert.deepEqual([empty.coverage, empty.coverage_warning], [null, null]);
  const failed = toRates(tally(2, { failed: 2 }));
  assert.deepEqual([failed.aio_rate, failed.aio_interval_95, failed.failure_rate], [null, null, 1]);
  const unseen = toRates(tally(2, {}));
  assert.deepEqual([unseen.aio_rate, unseen.failure_rate, unseen.coverage], [null, null, 0]);
});

for (const [used, isWarned] of [
  [89, true],
  [90, false],
  [91, false],
] as const)
  test(`toRates() ${isWarned ? "warns of" : "takes"} a rate that rests on ${used} % of the keywords`, () => {
    const warning = toRates(tally(100, { no_aio: used, failed: 100 - used })).coverage_warning;
    assert.equal(warning !== null, isWarned);
  });

test("toRates() warns of one keyword without an observation as of one that failed", () => {
  const expected =
    "aio_rate rests on 1 of 2 keywords, less than 90 %: the others were not observed, failed or are excluded";
  assert.equal(toRates(tally(2, { aio: 1 })).coverage_warning, expected);
  assert.equal(toRates(tally(2, { aio: 1, failed: 1 })).coverage_warning, expected);
});

test("addOutcome() adds to one outcome alone", () => {
  assert.deepEqual(addOutcome(tally(3, { aio: 1 }), "aio", 2), tally(3, { aio: 3 }));
});
