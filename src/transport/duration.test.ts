import assert from "node:assert/strict";
import { test } from "node:test";
import { readDuration } from "./duration.ts";

for (const ms of [0, 0.5, 60_000, 2 ** 32, Infinity]) {
  test(`readDuration() takes ${ms}`, () => {
    assert.equal(readDuration("timeoutMs", ms, 1), ms);
  });
}

test("readDuration() gives the default for undefined alone", () => {
  assert.equal(readDuration("timeoutMs", undefined, 7), 7);
});

for (const [given, is] of [
  [NaN, "NaN"],
  [-1, "-1"],
  [-Infinity, "-Infinity"],
  ["5", "of the type string"],
  [5n, "of the type bigint"],
  [null, "of the type null"],
  [{}, "of the type object"],
] as const) {
  test(`readDuration() refuses ${is}`, () => {
    assert.throws(() => readDuration("timeoutMs", given, 60_000), {
      name: "UsageError",
      code: "bad-duration",
      message: `Cannot take "timeoutMs": it is ${is}, expected milliseconds from 0 on, or Infinity for no limit`,
      hint: "timeoutMs: 60000",
    });
  });
}
