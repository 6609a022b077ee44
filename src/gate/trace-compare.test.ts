import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { stepOf } from "../../fixtures/trace.ts";
import type { Trace } from "./trace.ts";
import { compareTraces, formatComparison } from "./trace-compare.ts";

describe("compareTraces()", () => {
  const base: Trace = {
    id: 1,
    traceId: "1".repeat(32),
    at: 0,
    principal: "local",
    door: "shop",
    tool: "pay",
    risk: "write",
    taskId: "t1",
    callId: "c1",
    origin: undefined,
    code: "unavailable",
    rule: undefined,
    attempts: 2,
    durationMs: 120,
    message: "No shop",
    summary: "",
    steps: [stepOf("open"), stepOf("pay", "unavailable"), stepOf("pay", "unavailable", 2)],
    args: {},
    fault: undefined,
  };
  const other: Trace = {
    ...base,
    traceId: "2".repeat(32),
    door: "shop-copy",
    code: "ok",
    attempts: 1,
    durationMs: 80.25,
    message: "",
    steps: [stepOf("open"), stepOf("check"), stepOf("pay")],
  };

  test("pairs the steps of both and names what is otherwise", () => {
    const { steps, differences } = compareTraces(base, other);
    assert.deepEqual(
      steps.map(({ name, before, after }) => [name, before?.code, after?.code]),
      [
        ["open", "ok", "ok"],
        ["check", undefined, "ok"],
        ["pay", "unavailable", "ok"],
        ["pay", "unavailable", undefined],
      ],
    );
    assert.deepEqual(differences, [
      "door: shop → shop-copy",
      "code: unavailable → ok",
      "attempts: 2 → 1",
      "message: No shop → ",
      "step check: only after",
      "step pay: unavailable → ok",
      "step pay: only before",
    ]);
  });

  test("finds no difference between a trace and itself, whatever the times", () => {
    const later = {
      ...base,
      at: 5,
      durationMs: 1,
      steps: base.steps.map((step) => ({ ...step, durationMs: 9 })),
    };
    assert.deepEqual(compareTraces(base, later).differences, []);
    assert.match(formatComparison(compareTraces(base, later)), /\n\nBoth went the same way$/);
  });

  test("formatComparison() shows both side by side", () => {
    assert.deepEqual(formatComparison(compareTraces(base, other)).split("\n").slice(0, 12), [
      "            before                            after",
      `trace       ${"1".repeat(32)}  ${"2".repeat(32)}`,
      "came        1970-01-01T00:00:00.000Z          1970-01-01T00:00:00.000Z",
      "door        shop                              shop-copy  ≠",
      "tool        pay                               pay",
      "code        unavailable                       ok  ≠",
      "attempts    2                                 1  ≠",
      "duration    120.0 ms                          80.3 ms",
      "step open   ok, 1.5 ms                        ok, 1.5 ms",
      "step check  -                                 ok, 1.5 ms  ≠",
      "step pay    unavailable, 1.5 ms               ok, 1.5 ms  ≠",
      "step pay    unavailable, 1.5 ms               -  ≠",
    ]);
  });
});
