import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openDesk, textTool, type Desk } from "../../fixtures/gate.ts";
import type { Code } from "./codes.ts";
import type { Envelope } from "./envelope.ts";
import { ToolFailure } from "./failure.ts";
import type { CallFacts, Step } from "./feature.ts";
import { createFeatures } from "./features.ts";
import { Redactor } from "./redactor.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { Store } from "./store.ts";
import { summariseArguments } from "./trace-summary.ts";
import type { Trace, TraceLimits } from "./trace.ts";
import { TraceBook, traceMigrations } from "./trace-book.ts";
import { compareTraces, formatComparison } from "./trace-compare.ts";
import { createTraceFeature } from "./trace-feature.ts";
import { replayTrace } from "./trace-replay.ts";

function make(): Disposable & { readonly store: Store } {
  const folder = mkdtempSync(join(tmpdir(), "genkan-trace-"));
  const store = openSqliteStore({ folder, migrations: [traceMigrations] });
  const dispose = (): void => {
    store[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  return { store, [Symbol.dispose]: dispose };
}

function factsOf(n: number, change: Partial<CallFacts> = {}): CallFacts {
  return {
    traceId: String(n).padStart(32, "0"),
    principal: "local",
    door: "shop",
    tool: "pay",
    risk: "write",
    taskId: "t1",
    callId: `c${n}`,
    args: { n },
    origin: undefined,
    at: n,
    ...change,
  };
}

function envelopeOf(facts: CallFacts, code: Code): Envelope {
  return {
    ok: code === "ok",
    code,
    retryable: false,
    attempts: 1,
    message: code === "ok" ? "" : `It is ${code}`,
    hint: "",
    data: null,
    warnings: [],
    replayed: false,
    task_id: null,
    call_id: null,
    trace_id: facts.traceId,
    duration_ms: 12.5,
  };
}

function end(
  book: TraceBook,
  facts: CallFacts,
  code: Code,
  steps: readonly Step[] = [],
  thrown?: unknown,
): void {
  book.end({
    facts,
    at: facts.at,
    grant: undefined,
    envelope: envelopeOf(facts, code),
    steps,
    thrown,
  });
}

function stepOf(name: string, code: Code = "ok", attempt = 1): Step {
  return { name, index: 1, attempt, startMs: 0.1234567, durationMs: 1.5, code };
}

describe("a trace", () => {
  test("of a call that succeeds has a summary and steps, and no arguments", () => {
    using place = make();
    const book = new TraceBook(place.store);
    const facts = factsOf(1, { args: { n: 1, text: "x".repeat(50) } });
    book.begin(facts);
    const begun = book.find("c1");
    assert.deepEqual([begun?.code, begun?.args], [undefined, facts.args]);
    end(book, facts, "ok", [stepOf("open")]);
    assert.deepEqual(book.find(facts.traceId), {
      id: 1,
      traceId: facts.traceId,
      at: 1,
      principal: "local",
      door: "shop",
      tool: "pay",
      risk: "write",
      taskId: "t1",
      callId: "c1",
      origin: undefined,
      code: "ok",
      rule: undefined,
      attempts: 1,
      durationMs: 12.5,
      message: "",
      summary: `n=1 text="${"x".repeat(39)}…"(50)`,
      steps: [{ ...stepOf("open"), startMs: 0.123 }],
      args: undefined,
      fault: undefined,
    } satisfies Trace);
  });

  test("of a call that fails, or is refused, keeps its arguments up to a size, and what was thrown with its causes", () => {
    using place = make();
    const limits = { argsBytes: 12, faultLength: 200 };
    const book = new TraceBook(place.store, { limits });
    const thrown = new ToolFailure("unavailable", "No shop", { cause: new Error("ECONNREFUSED") });
    end(book, factsOf(1, { args: { text: "a" } }), "unavailable", [], thrown);
    end(book, factsOf(2, { args: { text: "ab" } }), "tool_failed");
    book.refuse({
      facts: factsOf(3, { args: {} }),
      at: 3,
      code: "grant_required",
      rule: "a-rule",
      grant: undefined,
    });
    const [first, second, third] = book.list();
    assert.deepEqual([first?.args, second?.args, third?.args], [{ text: "a" }, undefined, {}]);
    assert.match(first?.fault ?? "", /^ToolFailure: No shop/);
    assert.ok((first?.fault?.length ?? 0) <= 200);
    assert.deepEqual([third?.code, third?.rule, third?.attempts], ["grant_required", "a-rule", 0]);
    const whole = new TraceBook(place.store);
    end(whole, factsOf(4), "unavailable", [], thrown);
    assert.match(whole.find("c4")?.fault ?? "", /\nCaused by: Error: ECONNREFUSED/);
  });

  test("holds no secret: not in arguments, ids, steps or faults", () => {
    using place = make();
    const redactor = new Redactor();
    redactor.add("shop", "correct-horse-7");
    const book = new TraceBook(place.store, { redactor });
    const cause = new Error(`Basic ${Buffer.from("me:correct-horse-7").toString("base64")}`);
    const facts = factsOf(1, {
      callId: "correct-horse-7",
      args: { "correct-horse-7": ["correct-horse-7"] },
    });
    end(
      book,
      facts,
      "tool_failed",
      [stepOf("log in correct-horse-7")],
      new Error("correct-horse-7", { cause }),
    );
    const trace = book.find("secret://shop");
    assert.deepEqual(trace?.args, { "secret://shop": ["secret://shop"] });
    assert.equal(trace?.steps[0]?.name, "log in secret://shop");
    const row = JSON.stringify(place.store.prepare("SELECT * FROM trace_call").all());
    assert.doesNotMatch(row, /correct-horse-7|Y29ycmVjdC1ob3JzZS/);
  });

  test("list() gives the newest, in the order they came, by task, failure and what came since", () => {
    using place = make();
    const book = new TraceBook(place.store);
    for (let n = 1; n <= 9; n++)
      end(
        book,
        factsOf(n, { taskId: n % 2 === 0 ? "even" : undefined }),
        n % 3 === 0 ? "refused" : "ok",
      );
    const ids = (filter: Parameters<TraceBook["list"]>[0]): readonly number[] =>
      book.list(filter).map(({ id }) => id);
    assert.deepEqual(ids({ limit: 3 }), [7, 8, 9]);
    assert.deepEqual(ids({ task: "even" }), [2, 4, 6, 8]);
    assert.deepEqual(ids({ failed: true }), [3, 6, 9]);
    assert.deepEqual(ids({ after: 5, task: "even", failed: true }), [6]);
    assert.equal(book.find("none"), undefined);
    assert.deepEqual([book.find("c1")?.args, book.find("c3")?.args], [undefined, { n: 3 }]);
  });

  test("is kept for a time, and only so many are", () => {
    using place = make();
    let now = 0;
    const limits: Partial<TraceLimits> = { keptTraces: 300, keptMs: 1000, steps: 2 };
    const book = new TraceBook(place.store, { limits, now: () => now });
    place.store.transact(() => {
      for (let n = 1; n <= 512; n++)
        end(book, factsOf(n), "ok", [stepOf("a"), stepOf("b"), stepOf("c")]);
    });
    const kept = book.list({ limit: 1000 });
    assert.deepEqual([kept.length, kept[0]?.id, kept[0]?.steps.length], [300, 213, 2]);
    now = 1300;
    book.prune();
    assert.equal(book.list({ limit: 1000 })[0]?.at, 300);
  });

  test("summariseArguments() shows sizes in place of what is large, and nothing that acts", () => {
    const args = {
      limit: 20,
      q: "a\x1b[31m\nb",
      ids: [1, 2, 3],
      filter: { a: 1 },
      no: null,
      "k\u202e": true,
    };
    assert.equal(summariseArguments(args), `limit=20 q="a b" ids=[3] filter={1} no=null k=true`);
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`a${n}`, n]));
    assert.match(summariseArguments(many), / a19=19 … 5 more$/);
    assert.equal(
      summariseArguments(
        Object.fromEntries(
          Array.from({ length: 20 }, (_, n) => [`${n}`.repeat(40), "y".repeat(40)]),
        ),
      ).length,
      400,
    );
    assert.deepEqual([summariseArguments(undefined), summariseArguments([1])], ["", "[1]"]);
  });

  test("is not kept without a state", () => {
    assert.deepEqual(createTraceFeature().open(undefined), {});
  });
});

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

describe("replayTrace()", () => {
  function openShop(isOpen: () => boolean): Promise<Desk> {
    const folder = mkdtempSync(join(tmpdir(), "genkan-replay-"));
    const pay = textTool(
      "pay",
      "write",
      async (text, call) => {
        await call.step("open", () => {});
        return call.step("pay", () => {
          if (isOpen()) return text;
          throw new ToolFailure("refused", "The shop is closed", { effect: "none" });
        });
      },
      { steps: ["open", "pay"] },
    );
    return openDesk([pay], { stateDir: folder, features: createFeatures({ stateDir: folder }) });
  }

  test("runs a failed call again, as a new call, and shows both traces", async () => {
    let isOpen = false;
    await using desk = await openShop(() => isOpen);
    const traces = new TraceBook(desk.gate.store);
    desk.grant("t1", ["pay"], 3);
    const failed = await desk.call("pay", { text: "5 EUR", task_id: "t1", call_id: "c1" });
    assert.equal(failed.code, "refused");
    isOpen = true;
    const { envelope, comparison } = await replayTrace("c1", {
      traces,
      call: ({ tool, args }) => desk.call(tool, args),
    });
    assert.deepEqual(
      [envelope.ok, envelope.data, envelope.replayed],
      [true, { text: "5 EUR" }, false],
    );
    assert.deepEqual(comparison.differences, [
      "code: refused → ok",
      "message: The shop is closed → ",
      "step pay: refused → ok",
    ]);
    assert.match(comparison.after.callId ?? "", /^replay-[0-9a-f]{16}$/);
    assert.equal(comparison.after.taskId, "t1");
  });

  test("runs it against another gate, where a write needs a grant too", async () => {
    await using first = await openShop(() => false);
    await using second = await openShop(() => true);
    first.grant("t1", ["pay"]);
    const { trace_id } = await first.call("pay", { text: "x", task_id: "t1", call_id: "c1" });
    const options = {
      traces: new TraceBook(first.gate.store),
      again: new TraceBook(second.gate.store),
      call: ({ tool, args }: { tool: string; args: object }) => second.call(tool, args),
    };
    assert.equal((await replayTrace(trace_id, options)).comparison.after.code, "grant_required");
    second.grant("t1", ["pay"]);
    assert.equal((await replayTrace(trace_id, options)).comparison.after.code, "ok");
  });

  test("says why a call cannot be replayed", async () => {
    await using desk = await openShop(() => true);
    const traces = new TraceBook(desk.gate.store, { limits: { argsBytes: 20 } });
    desk.grant("t1", ["pay"]);
    await desk.call("pay", { text: "x", task_id: "t1", call_id: "good" });
    traces.begin(factsOf(8));
    end(traces, factsOf(9, { args: { text: "x".repeat(20) } }), "refused");
    const call = (): never => assert.fail("the tool was called");
    for (const [id, why] of [
      ["none", /there is no trace of it/],
      ["good", /it did not fail/],
      ["c8", /it has not ended/],
      ["c9", /its arguments are not kept/],
    ] as const)
      await assert.rejects(replayTrace(id, { traces, call }), why);
  });
});
