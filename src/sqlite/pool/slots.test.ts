// Readers come when they are needed, and go when they are not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../fixtures/sqlite/processes.ts";
import { defaultSqliteLimits } from "../limits.ts";
import { Answerer } from "./answerer.ts";
import { launchReader } from "./launch.ts";
import type { ReaderProcess } from "./reading.ts";
import { isReaderReply } from "./replies.ts";
import { Slots } from "./slots.ts";

const setup = { folder: "/nowhere", cellBytes: 1_000, answerBytes: 1_000_000 };

function startReader(): ReaderProcess {
  return new Answerer(launchReader(setup), isReaderReply);
}

function openSlots(queries: number) {
  const started: ReaderProcess[] = [];
  const deaths: string[] = [];
  const slots = new Slots({
    limits: { ...defaultSqliteLimits, queries },
    start: () => {
      const reader = startReader();
      started.push(reader);
      return reader;
    },
    onDeath: (_reader, what) => deaths.push(what),
    restMs: 20,
  });
  return { slots, started, deaths };
}

test("while a reader is held for long another is made ready, and goes when it has not been needed for a while", async () => {
  const { slots, started, deaths } = openSlots(2);
  const held = await slots.acquire(undefined);
  assert.deepEqual([held === started[0], started.length], [true, 1]);
  await until(() => started.length === 2);
  const other = await slots.acquire(undefined);
  assert.equal(other, started[1]);
  slots.release(held);
  slots.release(other);
  assert.equal(slots.idle.length, 2);
  await started[0]?.exited; // the one that was used longest ago
  await Promise.resolve();
  assert.deepEqual([slots.idle, started.length, deaths], [[other], 2, []]);
  await slots.close();
  assert.ok(!other.isUsable);
  await assert.rejects(slots.acquire(undefined), { kind: "database-unavailable" });
});

test("one that dies while nobody has it is replaced; there are never more than the limit", async () => {
  const { slots, started, deaths } = openSlots(1);
  const reader = await slots.acquire(undefined);
  const waiting = slots.acquire(undefined);
  await until(() => reader.hasBeenReady);
  reader.kill();
  slots.release(reader);
  const next = await waiting;
  assert.deepEqual([next === started[1], started.length, deaths], [true, 2, []]);
  await slots.close();
});
