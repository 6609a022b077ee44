import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeLatch, openDesk, textTool } from "../../fixtures/gate.ts";

describe("a grant", () => {
  test("of 5 uses lets exactly 5 of 50 concurrent calls run", async () => {
    let runs = 0;
    const send = textTool("send", "write", async () => {
      await new Promise(setImmediate);
      return ++runs;
    });
    await using desk = await openDesk([send]);
    desk.grant("t1", ["send"], 5);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => desk.call("send", { task_id: "t1", call_id: `c${n}` })),
    );
    const ends = answers.map(({ code }) => code);
    assert.equal(ends.filter((code) => code === "ok").length, 5);
    assert.equal(ends.filter((code) => code === "grant_required").length, 45);
    assert.equal(runs, 5);
    assert.equal(desk.gate.grants.list()[0]?.used, 5);
  });

  test("that expires while a call waits for its turn no longer allows it", async () => {
    let now = Date.now();
    const latch = makeLatch();
    const ran: string[] = [];
    const send = textTool("send", "write", async (text) => {
      ran.push(text);
      await latch.opened;
      return text;
    });
    await using desk = await openDesk([send], { now: () => now, limits: { runningPerTool: 1 } });
    desk.grant("t1", ["send"], 2, 1000);
    const first = desk.call("send", { task_id: "t1", call_id: "c1", text: "first" });
    const second = desk.call("send", { task_id: "t1", call_id: "c2", text: "second" });
    await new Promise(setImmediate);
    now += 1000;
    latch.open();
    assert.deepEqual(
      [(await first).code, (await second).code, ran],
      ["ok", "grant_required", ["first"]],
    );
  });

  test("that is revoked while a call waits for its turn no longer allows it; what runs goes on", async () => {
    const latch = makeLatch();
    const send = textTool("send", "write", () => latch.opened);
    await using desk = await openDesk([send], { limits: { runningPerTool: 1 } });
    const grant = desk.grant("t1", ["send"], 2);
    const first = desk.call("send", { task_id: "t1", call_id: "c1" });
    const second = desk.call("send", { task_id: "t1", call_id: "c2" });
    await new Promise(setImmediate);
    assert.deepEqual([desk.gate.grants.revoke(grant), desk.gate.grants.revoke(grant)], [1, 0]);
    latch.open();
    assert.deepEqual([(await first).code, (await second).code], ["ok", "grant_required"]);
  });

  test("holds one ms before it expires, and not when it does", async () => {
    let now = 1_000_000;
    await using desk = await openDesk([textTool("send", "write", () => "x")], { now: () => now });
    desk.grant("t1", ["send"], 9, 100);
    for (const [later, code] of [
      [99, "ok"],
      [100, "grant_required"],
      [101, "grant_required"],
    ] as const) {
      now = 1_000_000 + later;
      assert.equal((await desk.call("send", { task_id: "t1", call_id: `c${later}` })).code, code);
    }
  });

  test("holds for its task, its tools, its origins and its principal alone", async () => {
    const send = textTool("send", "write", () => "x", {
      origin: (args) => (args as { text: string }).text,
    });
    const tools = [send, textTool("post", "write", () => "x")];
    await using desk = await openDesk(tools);
    const { grants } = desk.gate;
    const common = { tools: ["send"], uses: 9, reason: "a test", givenBy: "tester" };
    grants.give({ ...common, task: "t1", origins: ["https://a.example"] });
    grants.give({ ...common, task: "t2", principal: "ann" });
    let n = 0;
    const codeOf = async (task: string, tool: string, text: string) =>
      (await desk.call(tool, { task_id: task, call_id: `c${++n}`, text })).code;
    assert.equal(await codeOf("t1", "send", "https://a.example"), "ok");
    assert.equal(await codeOf("t1", "send", "https://b.example"), "grant_required");
    assert.equal(await codeOf("t1", "post", "https://a.example"), "grant_required");
    assert.equal(await codeOf("t2", "send", "https://a.example"), "grant_required");
    assert.equal(await codeOf("t3", "send", "https://a.example"), "grant_required");
    await using anns = await openDesk(tools, {
      stateDir: desk.folder,
      isKept: true,
      principal: "ann",
    });
    assert.equal((await anns.call("send", { task_id: "t2", call_id: "c1", text: "x" })).code, "ok");
  });

  test("is used up in the order in which grants expire", async () => {
    await using desk = await openDesk([textTool("send", "write", () => "x")]);
    const long = desk.grant("t1", ["send"], 1, 50_000);
    const short = desk.grant("t1", ["send"], 1, 40_000);
    await desk.call("send", { task_id: "t1", call_id: "c1" });
    const used = desk.gate.grants.list("t1").map((grant) => [grant.id, grant.used]);
    assert.deepEqual(Object.fromEntries(used), { [short]: 1, [long]: 0 });
    assert.deepEqual(desk.gate.grants.list("t2"), []);
    assert.equal(desk.gate.grants.revoke("t1"), 2);
  });

  test("that allows nothing, or too much, is not given", async () => {
    await using desk = await openDesk([]);
    const good = { task: "t", tools: ["a"], reason: "r", givenBy: "me" };
    for (const [bad, text] of [
      [{ task: "" }, /task is empty/],
      [{ tools: [] }, /names no tool/],
      [{ reason: " " }, /no reason/],
      [{ uses: 0 }, /uses is 0, expected a whole number from 1 to 1000/],
      [{ uses: 1.5 }, /uses is 1.5/],
      [{ uses: 1001 }, /uses is 1001/],
      [{ forMs: 604_800_001 }, /forMs is 604800001/],
    ] as const)
      assert.throws(() => desk.gate.grants.give({ ...good, ...bad }), {
        code: "invalid-grant",
        message: text,
      });
    for (const most of [{ uses: 999 }, { uses: 1000 }, { forMs: 604_800_000 }])
      desk.gate.grants.give({ ...good, ...most });
  });
});
