import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openDesk, textTool, type Desk } from "../../fixtures/gate.ts";
import { endTrace, factsOf } from "../../fixtures/trace.ts";
import { ToolFailure } from "./failure.ts";
import { createFeatures } from "./features.ts";
import { TraceBook } from "./trace-book.ts";
import { replayTrace } from "./trace-replay.ts";

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
    endTrace(traces, factsOf(9, { args: { text: "x".repeat(20) } }), "refused");
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
