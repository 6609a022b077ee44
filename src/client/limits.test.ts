// The limits that bound what a server can make the client keep or do, each below, at and above its number.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault } from "../protocol/index.ts";
import { FreshResults, maxFreshResults } from "./fresh-results.ts";
import { answerInput, maxInputRequests } from "./input-rounds.ts";
import { maxKept, Observations } from "./observations.ts";
import { maxGivenUp, PendingCalls } from "./pending-calls.ts";

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
    const answer = await answerInput({ inputRequests }, { listRoots }, undefined);
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
