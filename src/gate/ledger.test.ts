import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeLatch, openDesk, textTool } from "../../fixtures/gate.ts";
import { ToolFailure } from "./index.ts";

const ids = { task_id: "t1", call_id: "c1" };

describe("a write with the same ids", () => {
  test("200 at once: it runs once, all get the same answer, and one use is taken", async () => {
    let runs = 0;
    const send = textTool("send", "write", async (text) => {
      await sleep(10);
      return `${text} ${++runs}`;
    });
    await using desk = await openDesk([send]);
    desk.grant("t1", ["send"], 5);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => desk.call("send", { ...ids, text: "hi" })),
    );
    assert.equal(runs, 1);
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.deepEqual(answers[0]?.data, { text: "hi 1" });
    assert.equal(desk.gate.grants.list()[0]?.used, 1);
  });

  test("later: the first result, replayed, without a use of the grant and in whatever order its arguments stand", async () => {
    let runs = 0;
    const send = textTool("send", "write", () => ++runs, {
      input: {
        type: "object",
        properties: { text: { type: "string", maxLength: 9 }, n: { type: "integer", maximum: 9 } },
        additionalProperties: false,
      },
    });
    await using desk = await openDesk([send]);
    desk.grant("t1", ["send"]);
    const first = await desk.call("send", { ...ids, text: "a", n: 1 });
    const second = await desk.call("send", { n: 1, text: "a", ...ids });
    assert.deepEqual(second, { ...first, replayed: true });
    assert.deepEqual([first.replayed, first.ok, runs], [false, true, 1]);
  });

  test("and other arguments is a conflict, while the first runs and afterwards", async () => {
    const latch = makeLatch();
    const send = textTool("send", "write", () => latch.opened);
    await using desk = await openDesk([send]);
    desk.grant("t1", ["send"]);
    const first = desk.call("send", { ...ids, text: "a" });
    assert.equal((await desk.call("send", { ...ids, text: "b" })).code, "idempotency_conflict");
    latch.open();
    assert.equal((await first).code, "ok");
    const late = await desk.call("send", { ...ids, text: "b" });
    assert.deepEqual(
      [late.code, late.retryable, late.attempts],
      ["idempotency_conflict", false, 0],
    );
  });

  test("and another principal, task or tool is another write", async () => {
    let runs = 0;
    let who = "ann";
    const tools = [
      textTool("send", "write", () => ++runs),
      textTool("post", "write", () => ++runs),
    ];
    await using desk = await openDesk(tools, { principal: () => who });
    desk.grant("t1", ["send", "post"], 9);
    desk.grant("t2", ["send"], 9);
    await desk.call("send", ids);
    await desk.call("post", ids);
    await desk.call("send", { ...ids, task_id: "t2" });
    who = "bob";
    await desk.call("send", ids);
    assert.equal(runs, 4);
  });

  test("and a caller who has proven to be somebody is that one's own", async () => {
    const principals: string[] = [];
    const send = textTool("send", "write", (_text, call) => principals.push(call.principal));
    await using desk = await openDesk([send]);
    desk.grant("t1", ["send"], 9);
    for (const who of [undefined, "ann", "bob", "ann"]) await desk.call("send", ids, who);
    assert.deepEqual(principals, ["local", "ann", "bob"]);
  });

  test("through two gates on one state: it runs once, and both give its result", async () => {
    const latch = makeLatch();
    let runs = 0;
    const send = textTool("send", "write", async () => {
      runs++;
      await latch.opened;
      return "sent";
    });
    await using one = await openDesk([send]);
    await using two = await openDesk([send], { stateDir: one.folder, isKept: true });
    one.grant("t1", ["send"], 9);
    const first = one.call("send", ids);
    const second = two.call("send", ids);
    await sleep(20);
    latch.open();
    const { trace_id, ok } = await first;
    assert.deepEqual(
      [ok, (await second).trace_id, (await second).replayed, runs],
      [true, trace_id, true, 1],
    );
  });

  test("after its caller has cancelled: it was not stopped, and is joined", async () => {
    const latch = makeLatch();
    let runs = 0;
    const signals: boolean[] = [];
    const send = textTool("send", "write", async (_text, call) => {
      runs++;
      await latch.opened;
      signals.push(call.signal.aborted);
      return "sent";
    });
    await using desk = await openDesk([send]);
    desk.grant("t1", ["send"]);
    const id = desk.peer.start("tools/call", { name: "send", arguments: ids });
    await desk.peer.rest();
    desk.peer.notify("notifications/cancelled", { requestId: id });
    desk.peer.start("tools/call", { name: "send", arguments: ids });
    assert.deepEqual(await desk.peer.rest(), []);
    latch.open();
    const { result } = await desk.peer.next();
    assert.deepEqual(result.structuredContent.data, { text: "sent" });
    assert.deepEqual([runs, signals], [1, [false]]);
  });

  test("after its deadline: it is told to stop, found while it goes on, and its true end is kept", async () => {
    const latch = makeLatch();
    let isStopped = false;
    const send = textTool(
      "send",
      "write",
      async (_text, call) => {
        call.signal.addEventListener("abort", () => (isStopped = true));
        await latch.opened;
        return "sent after all";
      },
      { limits: { deadlineMs: 20 } },
    );
    await using desk = await openDesk([send]);
    desk.grant("t1", ["send"]);
    const first = await desk.call("send", ids);
    assert.deepEqual([first.code, first.retryable, first.attempts], ["deadline_exceeded", true, 1]);
    assert.match(first.message, /20 ms \(deadlineMs\)/);
    assert.equal(isStopped, true);
    assert.equal((await desk.call("send", ids)).code, "still_running");
    latch.open();
    await sleep(5);
    const last = await desk.call("send", ids);
    assert.deepEqual(
      [last.code, last.replayed, last.data],
      ["ok", true, { text: "sent after all" }],
    );
  });

  test("that was stopped and does not say what it did: its outcome is unknown, with what to read", async () => {
    const send = textTool(
      "send",
      "write",
      (_text, call) =>
        new Promise((_resolve, reject) => {
          call.signal.addEventListener("abort", () => reject(new Error("stopped")));
        }),
      { limits: { deadlineMs: 10 }, findOut: "Call get_mail" },
    );
    await using desk = await openDesk([send]);
    desk.grant("t1", ["send"]);
    assert.equal((await desk.call("send", ids)).code, "deadline_exceeded");
    await sleep(5);
    const later = await desk.call("send", ids);
    assert.deepEqual(
      [later.code, later.retryable, later.hint],
      ["outcome_unknown", false, "Call get_mail"],
    );
  });

  test("that failed harmlessly may be done again, and its use is given back; any other failure is kept", async () => {
    const failures = [
      new ToolFailure("unavailable", "Busy", { effect: "none", retryAfterMs: 7 }),
      new ToolFailure("unavailable", "Broke off"),
    ];
    const send = textTool("send", "write", () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return "sent";
    });
    await using desk = await openDesk([send]);
    desk.grant("t1", ["send"]);
    const first = await desk.call("send", ids);
    assert.deepEqual(
      [first.code, first.retryable, first.retry_after_ms, first.message],
      ["unavailable", true, 7, "Busy"],
    );
    assert.equal(desk.gate.grants.list()[0]?.used, 0);
    const second = await desk.call("send", ids);
    assert.deepEqual(
      [second.code, second.retryable, second.message],
      ["unavailable", false, "Broke off"],
    );
    assert.equal(desk.gate.grants.list()[0]?.used, 1);
    assert.deepEqual(await desk.call("send", ids), { ...second, replayed: true });
  });

  test("a week later: the result is gone, and it is not done again", async () => {
    let now = Date.now();
    let runs = 0;
    await using desk = await openDesk([textTool("send", "write", () => ++runs)], {
      now: () => now,
    });
    desk.grant("t1", ["send"], 2);
    await desk.call("send", ids);
    now += 24 * 3_600_000;
    assert.equal((await desk.call("send", ids)).replayed, true);
    now += 1;
    const later = await desk.call("send", ids);
    assert.deepEqual([later.code, later.retryable, runs], ["result_expired", false, 1]);
  });
});

test("a read with both ids is kept too; one that failed for now is done again", async () => {
  let runs = 0;
  const get = textTool("get", "read", () => {
    runs++;
    if (runs === 1) throw new ToolFailure("unavailable", "Not now");
    return runs;
  });
  await using desk = await openDesk([get]);
  assert.equal((await desk.call("get", ids)).code, "unavailable");
  assert.deepEqual((await desk.call("get", ids)).data, { text: "2" });
  const again = await desk.call("get", ids);
  assert.deepEqual([again.data, again.replayed, runs], [{ text: "2" }, true, 2]);
  await desk.call("get", { task_id: "t1" });
  assert.equal(runs, 3);
});

test("the gate runs a tool again by itself when that is harmless, as often as its limit says", async () => {
  const attempts: number[] = [];
  const flaky = textTool(
    "flaky",
    "write",
    (text, call) => {
      attempts.push(call.attempt);
      if (text !== "" || call.attempt < 3)
        throw new ToolFailure("unavailable", "Busy", { effect: "none", retryAfterMs: 1 });
      return "done";
    },
    { limits: { attempts: 3 } },
  );
  await using desk = await openDesk([flaky]);
  desk.grant("t1", ["flaky"], 2);
  const good = await desk.call("flaky", ids);
  assert.deepEqual([good.code, good.attempts, attempts], ["ok", 3, [1, 2, 3]]);
  const bad = await desk.call("flaky", { ...ids, call_id: "c2", text: "x" });
  assert.deepEqual([bad.code, bad.attempts], ["unavailable", 3]);
});
