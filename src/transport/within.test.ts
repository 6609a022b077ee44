import assert from "node:assert/strict";
import { test } from "node:test";
import { within } from "./within.ts";

const never = new Promise<never>(() => {});

test("within() gives the value of a promise that is in time", async () => {
  assert.equal(await within(Promise.resolve(0), 60_000), 0);
});

test("within() gives undefined for a promise that takes longer", async () => {
  assert.equal(await within(never, 1), undefined);
});

test("within() rejects as the promise does", async () => {
  await assert.rejects(within(Promise.reject(new Error("no")), 60_000), { message: "no" });
});

for (const ms of [2 ** 31, Infinity]) {
  test(`within() waits ${ms} ms, and not the one that a timer makes of it`, async () => {
    const slow = new Promise((resolve) => setTimeout(resolve, 20, "slow"));
    assert.equal(await within(slow, ms), "slow");
  });
}

test("within() needs no timer for a wait without end", async () => {
  const count = (): number =>
    process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
  const before = count();
  void within(never, Infinity);
  assert.equal(count(), before);
});

test("within() leaves no timer behind", async () => {
  const count = (): number =>
    process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
  const before = count();
  await within(Promise.resolve(), 60_000);
  await within(Promise.reject(new Error("no")), 60_000).catch(() => {});
  assert.ok(count() <= before);
});
