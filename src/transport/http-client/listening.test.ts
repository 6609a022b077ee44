// How long this side waits before it connects a stream again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { waitBeforeRetry } from "./listening.ts";

for (const [asked, waits] of [
  [undefined, 1_000],
  [0, 100],
  [99, 100],
  [2_500, 2_500],
] as const)
  test(`a server that asks for a wait of ${asked} ms gets one of ${waits} ms`, () => {
    assert.equal(waitBeforeRetry(asked), waits);
  });
