// The limits that bound what a server can make the client keep or do, each below, at and above its number.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault, JsonObject } from "../protocol/index.ts";
import { FreshResults, maxFreshBytes, maxFreshResults } from "./fresh-results.ts";
import { answerInput, maxInputRequests } from "./input-rounds.ts";
import { maxKept, maxKeptLength, Observations } from "./observations.ts";
import { maxGivenUp, PendingCalls } from "./pending-calls.ts";
import { weigh } from "./weigh.ts";

for (const count of [maxFreshResults - 1, maxFreshResults, maxFreshResults + 1]) {
  test(`of ${count} fresh results the newest ${Math.min(count, maxFreshResults)} are kept`, () => {
    const fresh = new FreshResults();
    for (let index = 0; index < count; index++) {
      fresh.keep("resources/read", `file:///${index}`, { ttlMs: 60_000 }, fresh.generation);
    }
    assert.equal(fresh.find("resources/read", "file:///0") !== undefined, count <= maxFreshResults);
    assert.notEqual(fresh.find("resources/read", `file:///${count - 1}`), undefined);
  });
}

for (const bytes of [maxFreshBytes - 1, maxFreshBytes, maxFreshBytes + 1]) {
  test(`a fresh result of ${bytes} bytes is ${bytes <= maxFreshBytes ? "kept, and drives out the others" : "not kept"}`, () => {
    const fresh = new FreshResults();
    const keep = (about: string, result: JsonObject): void =>
      fresh.keep("resources/read", about, result, fresh.generation);
    const key = "resources/read b".length;
    const bare = key + weigh({ ttlMs: 60_000, text: "" }, Infinity);
    keep("a", { ttlMs: 60_000 });
    keep("b", { ttlMs: 60_000, text: "x".repeat(bytes - bare) });
    assert.equal(fresh.find("resources/read", "b") !== undefined, bytes <= maxFreshBytes);
    assert.equal(fresh.find("resources/read", "a") !== undefined, bytes > maxFreshBytes);
    keep("c", { ttlMs: 60_000 });
    assert.equal(fresh.find("resources/read", "b"), undefined);
    assert.notEqual(fresh.find("resources/read", "c"), undefined);
  });
}

test("weigh() counts the bytes of texts and names, and a little for every value", () => {
  assert.equal(weigh("é", Infinity), 18);
  assert.equal(weigh([1, null, true], Infinity), 64);
  assert.equal(weigh({ ab: "c" }, Infinity), 35);
  assert.equal(weigh(undefined, Infinity), 16);
});

test("weigh() comes to an end in what is as deep as a line may be, and stops at what is enough", () => {
  assert.equal(weigh(JSON.parse("[".repeat(1e6) + "]".repeat(1e6)), Infinity), 16e6);
  assert.ok(
    weigh(
      Array.from({ length: 1e5 }, () => "x".repeat(100)),
      1_000,
    ) < 2_000,
  );
});

test("an answer asked for before a change is not kept after it", () => {
  const fresh = new FreshResults();
  const { generation } = fresh;
  fresh.takeChange({ kind: "tools" });
  fresh.keep("tools/list", undefined, { ttlMs: 60_000 }, generation);
  assert.equal(fresh.find("tools/list", undefined), undefined);
});

for (const count of [maxInputRequests - 1, maxInputRequests, maxInputRequests + 1]) {
  test(`${count} questions at once are ${count <= maxInputRequests ? "asked" : "over the limit"}`, async () => {
    const inputRequests = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`q${index}`, { method: "roots/list" }]),
    );
    let asked = 0;
    const listRoots = () => {
      asked++;
      return { roots: [] };
    };
    const answer = await answerInput(
      { inputRequests },
      { listRoots },
      new AbortController().signal,
    );
    assert.equal(answer.kind, count <= maxInputRequests ? "answer" : "failure");
    assert.equal(asked, count <= maxInputRequests ? count : 0);
  });
}

for (const count of [maxKept - 1, maxKept, maxKept + 1]) {
  test(`of ${count} faults ${Math.min(count, maxKept)} are kept and all counted`, () => {
    const observations = new Observations();
    const fault: Fault = {
      kind: "fault",
      name: "not-json",
      at: 0,
      detail: "x",
      from: "unknown",
      id: undefined,
      excerpt: "x",
    };
    for (let index = 0; index < count; index++) {
      observations.addFault(fault);
      observations.addStray(fault);
    }
    const { faults, faultCount, strayLines, strayLineCount } = observations.report({
      stderrTail: "",
      stderrBytes: 0,
    });
    assert.deepEqual(
      [faults.length, strayLines.length],
      [Math.min(count, maxKept), Math.min(count, maxKept)],
    );
    assert.deepEqual([faultCount, strayLineCount], [count, count]);
  });
}

test("a report is short, whatever a server sends", () => {
  const observations = new Observations();
  const long = "x".repeat(1e6);
  const fault: Fault = {
    kind: "fault",
    name: "invalid-message",
    at: 0,
    detail: long,
    from: "reply",
    id: long,
    value: { id: long },
    excerpt: long,
  };
  for (let count = 0; count < maxKept; count++) {
    observations.addFault(fault);
    observations.addStray(fault);
    observations.addFaultyReply(fault);
    observations.addUnknownReply(long, long);
    observations.remark(`${count}${long}`);
  }
  const report = observations.report({ stderrTail: "", stderrBytes: 0 });
  assert.equal(report.faults[0]?.id, long.slice(0, maxKeptLength));
  assert.ok(!("value" in (report.faults[0] ?? {})));
  const texts = 4 + 1; // of a fault: detail, id, excerpt and the names; a remark
  assert.ok(JSON.stringify(report).length < maxKept * texts * maxKeptLength);
});

for (const count of [maxGivenUp - 1, maxGivenUp, maxGivenUp + 1]) {
  test(`of ${count} given-up calls the last ${Math.min(count, maxGivenUp)} are known when their replies come`, () => {
    const calls = new PendingCalls(() => {});
    const mark = new Observations().mark();
    const call = {
      method: "ping",
      params: undefined,
      timeoutMs: Infinity,
      options: {},
      succeed: () => {},
      fail: () => {},
    };
    for (let index = 0; index < count; index++) {
      const pending = {
        id: calls.nextId(),
        call,
        startedAt: 0,
        mark,
        deadline: Infinity,
        onAbort: undefined,
      };
      calls.add(pending);
      calls.giveUp(pending);
    }
    assert.equal(calls.fateOf(1), count <= maxGivenUp ? "given up" : "answered");
    assert.equal(calls.fateOf(count), "given up");
    for (const id of [0, count + 1, -1, 0.5, "1", null, undefined])
      assert.equal(calls.fateOf(id), "never sent");
  });
}
