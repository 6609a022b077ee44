import assert from "node:assert/strict";
import { test } from "node:test";
import { EventLog } from "./event-log.ts";

test("EventLog gives what follows an event of the same stream, oldest first", () => {
  const log = new EventLog(10, 1000);
  log.append(1, 1, "a");
  log.append(2, 1, "other");
  log.append(1, 2, "b");
  log.append(1, 3, "c");
  assert.deepEqual(
    log.after(1, 1).map(({ data }) => data),
    ["b", "c"],
  );
  assert.deepEqual(log.after(3, 0), []);
});

for (const [limit, kept] of [
  [2, ["b", "c"]],
  [3, ["a", "b", "c"]],
  [4, ["a", "b", "c"]],
] as const)
  test(`EventLog keeps the newest ${limit} of three events`, () => {
    const log = new EventLog(limit, 1000);
    for (const [at, data] of ["a", "b", "c"].entries()) log.append(0, at + 1, data);
    assert.deepEqual(
      log.after(0, 0).map(({ data }) => data),
      kept,
    );
  });

for (const [limit, kept] of [
  [11, ["ccc"]],
  [12, ["bbb", "ccc"]],
  [13, ["bbb", "ccc"]],
] as const)
  test(`EventLog keeps the newest events of six bytes within ${limit} bytes`, () => {
    const log = new EventLog(10, limit);
    for (const [at, data] of ["aaa", "bbb", "ccc"].entries()) log.append(0, at + 1, data);
    assert.deepEqual(
      log.after(0, 0).map(({ data }) => data),
      kept,
    );
  });

test("EventLog does not keep one event that is larger than all of it, and keeps the others", () => {
  const log = new EventLog(10, 8);
  log.append(0, 1, "aaa");
  log.append(0, 2, "bbbbb");
  assert.deepEqual(
    log.after(0, 0).map(({ data }) => data),
    ["aaa"],
  );
  assert.equal(log.has(0), true);
  assert.equal(log.has(1), false);
});
