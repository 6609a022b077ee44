import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeLatch, openDesk, textTool, type Desk } from "../../fixtures/gate.ts";
import { Rates } from "./rates.ts";

async function codesOf(
  desk: Desk,
  name: string,
  count: number,
  args: object = {},
): Promise<readonly string[]> {
  const codes: string[] = [];
  for (let n = 0; n < count; n++) codes.push((await desk.call(name, args)).code);
  return codes;
}

describe("budgets", () => {
  test("a task has as many calls as taskCalls, over all its tools; another task has its own", async () => {
    const tools = [textTool("get", "read", () => "x"), textTool("send", "write", () => "x")];
    await using desk = await openDesk(tools, { limits: { taskCalls: 3 } });
    desk.grant("t1", ["send"], 9);
    assert.equal((await desk.call("send", { task_id: "t1", call_id: "c1" })).code, "ok");
    assert.deepEqual(await codesOf(desk, "get", 3, { task_id: "t1" }), [
      "ok",
      "ok",
      "budget_exhausted",
    ]);
    const refused = await desk.call("send", { task_id: "t1", call_id: "c2" });
    assert.deepEqual([refused.code, refused.retryable], ["budget_exhausted", false]);
    assert.match(refused.message, /has used 3 calls, and may use 3 \(taskCalls\)/);
    assert.equal(desk.gate.grants.list()[0]?.used, 1);
    assert.equal((await desk.call("send", { task_id: "t1", call_id: "c1" })).replayed, true);
    assert.deepEqual(await codesOf(desk, "get", 1, { task_id: "t2" }), ["ok"]);
    assert.deepEqual(await codesOf(desk, "get", 1), ["ok"]);
  });

  test("a principal has as many calls in an hour as principalCalls, and its own where it has one", async () => {
    let now = 3_600_000 * 1000;
    let who = "ann";
    const options = {
      limits: { principalCalls: 2 },
      principals: { bob: { limits: { principalCalls: 1 } } },
    };
    await using desk = await openDesk([textTool("get", "read", () => "x")], {
      ...options,
      now: () => now,
      principal: () => who,
    });
    assert.deepEqual(await codesOf(desk, "get", 3), ["ok", "ok", "budget_exhausted"]);
    who = "bob";
    assert.deepEqual(await codesOf(desk, "get", 2), ["ok", "budget_exhausted"]);
    now += 3_600_000;
    assert.deepEqual(await codesOf(desk, "get", 2), ["ok", "budget_exhausted"]);
  });

  test("bytes and time count too", async () => {
    const wide = textTool("wide", "read", () => "x".repeat(1000));
    await using desk = await openDesk([wide], { limits: { taskBytes: 2000 } });
    assert.deepEqual(await codesOf(desk, "wide", 3, { task_id: "t1" }), [
      "ok",
      "ok",
      "budget_exhausted",
    ]);
    await using slow = await openDesk([textTool("slow", "read", () => sleep(5))], {
      limits: { taskMs: 1 },
    });
    assert.deepEqual(await codesOf(slow, "slow", 2, { task_id: "t1" }), ["ok", "budget_exhausted"]);
  });

  test("outlive the gate", async () => {
    const get = textTool("get", "read", () => "x");
    const options = { limits: { taskCalls: 3 } };
    await using first = await openDesk([get], { ...options, isKept: true });
    await codesOf(first, "get", 2, { task_id: "t1" });
    await first.gate[Symbol.asyncDispose]();
    await using second = await openDesk([get], { ...options, stateDir: first.folder });
    assert.deepEqual(await codesOf(second, "get", 2, { task_id: "t1" }), [
      "ok",
      "budget_exhausted",
    ]);
  });
});

describe("rates", () => {
  test("a tool has as many calls in a minute as callsPerMinute, and then one more each time", async () => {
    let now = 1_000_000;
    const get = textTool("get", "read", () => "x", { limits: { callsPerMinute: 3 } });
    await using desk = await openDesk([get], { now: () => now });
    assert.deepEqual(await codesOf(desk, "get", 4), ["ok", "ok", "ok", "rate_limited"]);
    const refused = await desk.call("get");
    assert.deepEqual([refused.retryable, refused.retry_after_ms], [true, 20_000]);
    now += 19_999;
    assert.deepEqual(await codesOf(desk, "get", 1), ["rate_limited"]);
    now += 1;
    assert.deepEqual(await codesOf(desk, "get", 2), ["ok", "rate_limited"]);
    now += 600_000;
    assert.deepEqual(await codesOf(desk, "get", 4), ["ok", "ok", "ok", "rate_limited"]);
  });

  test("a clock that is put back gives nothing, and ten thousand names are kept", () => {
    const rates = new Rates();
    rates.take("a", 1, 5000);
    assert.equal(rates.read("a", 1, 0).left, 0);
    for (let n = 0; n < 10_000; n++) rates.take(`n${n}`, 1, 0);
    assert.equal(rates.read("n9999", 1, 0).left, 0);
    assert.equal(rates.read("a", 1, 0).left, 1);
  });
});

describe("turns", () => {
  const limits = { runningPerTool: 2, queueLength: 2, queueWaitMs: 30 };
  const kinds = [
    ["read", (n: number) => ({ text: String(n) })],
    ["write", (n: number) => ({ task_id: "t1", call_id: `c${n}` })],
  ] as const;

  for (const [risk, argsOf] of kinds)
    test(`two ${risk}s run, two wait and end with queue_wait_exceeded, and the fifth ends with queue_full at once`, async () => {
      const latch = makeLatch();
      let most = 0;
      let running = 0;
      const work = textTool("work", risk, async () => {
        most = Math.max(most, ++running);
        await latch.opened;
        running--;
        return "x";
      });
      await using desk = await openDesk([work], { limits });
      desk.grant("t1", ["work"], 9);
      const calls = [1, 2, 3, 4].map((n) => desk.call("work", argsOf(n)));
      const fifth = await desk.call("work", argsOf(5));
      assert.deepEqual(
        [fifth.code, fifth.retryable, fifth.retry_after_ms],
        ["queue_full", true, 1000],
      );
      assert.match(
        fifth.message,
        /2 calls are waiting \(queueLength\): 2 calls of the tool "work" are running/,
      );
      const third = await calls[2];
      assert.equal(third?.code, "queue_wait_exceeded");
      assert.match(third?.message ?? "", /waited 30 ms for its turn \(queueWaitMs\)/);
      await calls[3];
      latch.open();
      const ends = (await Promise.all(calls)).map(({ code }) => code);
      assert.deepEqual(ends, ["ok", "ok", "queue_wait_exceeded", "queue_wait_exceeded"]);
      assert.equal(most, 2);
      assert.equal((await desk.call("work", argsOf(6))).code, "ok");
      if (risk === "write") assert.equal(desk.gate.grants.list()[0]?.used, 3);
    });

  test("whoever waits runs in turn when there is room, also for a tool that answers at once", async () => {
    const latch = makeLatch();
    const order: string[] = [];
    const work = textTool("work", "read", async (text) => {
      order.push(text);
      if (text === "1") await latch.opened;
      return text;
    });
    await using desk = await openDesk([work], { limits: { runningPerTool: 1 } });
    const calls = ["1", "2", "3"].map((text) => desk.call("work", { text }));
    await new Promise(setImmediate);
    latch.open();
    assert.deepEqual(
      (await Promise.all(calls)).map(({ code }) => code),
      ["ok", "ok", "ok"],
    );
    assert.deepEqual(order, ["1", "2", "3"]);
  });

  test("a task and a principal have turns of their own", async () => {
    for (const [limit, place] of [
      ["runningPerTask", 'the task "t1"'],
      ["runningPerPrincipal", 'the principal "local"'],
    ] as const) {
      const latch = makeLatch();
      const tools = [textTool("a", "read", () => latch.opened), textTool("b", "read", () => "x")];
      await using desk = await openDesk(tools, { limits: { [limit]: 1, queueWaitMs: 1 } });
      const first = desk.call("a", { task_id: "t1" });
      const second = await desk.call("b", { task_id: "t1" });
      assert.equal(second.code, "queue_wait_exceeded");
      assert.ok(second.message.endsWith(`1 calls of ${place} are running`), second.message);
      latch.open();
      assert.equal((await first).code, "ok");
    }
  });

  test("a call that was refused for its grant does not wait for its turn", async () => {
    const latch = makeLatch();
    await using desk = await openDesk([textTool("send", "write", () => latch.opened)], {
      limits: { runningPerTool: 1, queueWaitMs: 10_000 },
    });
    desk.grant("t1", ["send"]);
    const first = desk.call("send", { task_id: "t1", call_id: "c1" });
    assert.equal(
      (await desk.call("send", { task_id: "t2", call_id: "c1" })).code,
      "grant_required",
    );
    latch.open();
    await first;
  });
});

test("a slow run is another code than a long wait", async () => {
  const slow = textTool("slow", "read", () => sleep(30), {
    limits: { deadlineMs: 5 },
    steps: ["only"],
  });
  await using desk = await openDesk([slow]);
  const envelope = await desk.call("slow");
  assert.deepEqual(
    [envelope.code, envelope.retryable, envelope.attempts],
    ["deadline_exceeded", true, 1],
  );
});

test("a limit that is none is refused by its name", async () => {
  for (const [limits, text] of [
    [{ taskCalls: 0 }, /"taskCalls": it is 0, expected a whole number of at least 1/],
    [{ taskCalls: NaN }, /"taskCalls": it is NaN/],
    [{ taskCals: 1 }, /"taskCals": there is no such limit, expected one of deadlineMs/],
  ] as const)
    await assert.rejects(openDesk([], { limits: limits as object }), {
      code: "invalid-limit",
      message: text,
    });
  await using desk = await openDesk([textTool("get", "read", () => sleep(1))], {
    limits: { taskCalls: 1, deadlineMs: Infinity, maxDeadlineMs: Infinity },
  });
  assert.equal((await desk.call("get")).code, "ok");
});
