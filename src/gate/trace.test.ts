import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { endTrace, factsOf, stepOf } from "../../fixtures/trace.ts";
import { ToolFailure } from "./failure.ts";
import { Redactor } from "./redactor.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { Store } from "./store.ts";
import { summariseArguments } from "./trace-summary.ts";
import type { Trace, TraceLimits } from "./trace.ts";
import { TraceBook, traceMigrations } from "./trace-book.ts";
import { createTraceFeature } from "./trace-feature.ts";

function make(): Disposable & { readonly store: Store } {
  const folder = mkdtempSync(join(tmpdir(), "genkan-trace-"));
  const store = openSqliteStore({ folder, migrations: [traceMigrations] });
  const dispose = (): void => {
    store[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  return { store, [Symbol.dispose]: dispose };
}

describe("a trace", () => {
  test("of a call that succeeds has a summary and steps, and no arguments", () => {
    using place = make();
    const book = new TraceBook(place.store);
    const facts = factsOf(1, { args: { n: 1, text: "x".repeat(50) } });
    book.begin(facts);
    const begun = book.find("c1");
    assert.deepEqual([begun?.code, begun?.args], [undefined, facts.args]);
    endTrace(book, facts, "ok", [stepOf("open")]);
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
    endTrace(book, factsOf(1, { args: { text: "a" } }), "unavailable", [], thrown);
    endTrace(book, factsOf(2, { args: { text: "ab" } }), "tool_failed");
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
    endTrace(whole, factsOf(4), "unavailable", [], thrown);
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
    endTrace(
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
      endTrace(
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
        endTrace(book, factsOf(n), "ok", [stepOf("a"), stepOf("b"), stepOf("c")]);
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
