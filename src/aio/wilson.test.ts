import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { wilsonInterval } from "./wilson.ts";

// R. G. Newcombe (1998), https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<857::AID-SIM777>3.0.CO;2-E, table I, method 3
for (const [hits, total, low, high] of [
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
] as const)
  test(`wilsonInterval() of ${hits} out of ${total} is what Newcombe printed`, () => {
    const interval = wilsonInterval(hits, total);
    assert.deepEqual([interval?.low.toFixed(4), interval?.high.toFixed(4)].map(Number), [
      low,
      high,
    ]);
  });

test("wilsonInterval() of nothing is null", () => {
  assert.equal(wilsonInterval(0, 0), null);
});

test("wilsonInterval() holds the share, stays within 0 and 1, and is the mirror of what is no hit", () => {
  const share = fc
    .integer({ min: 1, max: 1_000_000 })
    .chain((total) => fc.tuple(fc.integer({ min: 0, max: total }), fc.constant(total)));
  fc.assert(
    fc.property(share, ([hits, total]) => {
      const { low, high } = wilsonInterval(hits, total)!;
      assert.ok(low >= 0 && low <= hits / total && hits / total <= high && high <= 1);
      const mirror = wilsonInterval(total - hits, total)!;
      assert.ok(Math.abs(mirror.low - (1 - high)) < 1e-12);
    }),
  );
});
