import assert from "node:assert/strict";
import { test } from "node:test";
import { ArrivalQueue } from "./arrival-queue.ts";

test("items are read in the order they came, before and after the reader", async () => {
  const { queue } = openQueue();
  queue.push(1);
  queue.push(2);
  const read = readAll(queue);
  await Promise.resolve();
  queue.push(3);
  await Promise.resolve();
  queue.push(4);
  queue.push(5);
  queue.end();
  assert.deepEqual(await read, [1, 2, 3, 4, 5]);
});

test("of two items of one turn a waiting reader takes the first, and the second waits", async () => {
  const { queue } = openQueue();
  const iterator = queue[Symbol.asyncIterator]();
  const first = iterator.next();
  queue.push(1);
  queue.push(2);
  assert.deepEqual(await first, { done: false, value: 1 });
  assert.deepEqual(await iterator.next(), { done: false, value: 2 });
  assert.deepEqual(await iterator.return?.(), { done: true, value: undefined });
});

test("what is falsy is an item too", async () => {
  const queue = new ArrivalQueue<0 | "" | null>({ pause: () => {}, resume: () => {} });
  for (const item of [0, "", null] as const) queue.push(item);
  queue.end();
  assert.deepEqual(await readAll(queue), [0, "", null]);
});

test("the end comes after what is queued, and nothing after the end", async () => {
  const { queue } = openQueue();
  queue.push(1);
  queue.end();
  queue.push(2);
  queue.end();
  assert.deepEqual(await readAll(queue), [1]);
  assert.deepEqual(await readAll(queue), []);
});

test("a waiting reader is woken by the end", async () => {
  const { queue } = openQueue();
  const read = readAll(queue);
  await Promise.resolve();
  queue.end();
  assert.deepEqual(await read, []);
});

test("the source pauses at 16 unread items, and resumes when they are read", async () => {
  const { queue, flow } = openQueue();
  for (let item = 1; item <= 15; item++) queue.push(item);
  assert.deepEqual(flow, []);
  queue.push(16);
  assert.deepEqual(flow, ["pause"]);
  queue.push(17);
  assert.deepEqual(flow, ["pause"]);
  const iterator = queue[Symbol.asyncIterator]();
  for (let item = 1; item <= 16; item++) assert.equal((await iterator.next()).value, item);
  assert.deepEqual(flow, ["pause"]);
  assert.equal((await iterator.next()).value, 17);
  assert.deepEqual(flow, ["pause", "resume"]);
  for (let item = 0; item < 16; item++) queue.push(item);
  assert.deepEqual(flow, ["pause", "resume", "pause"]);
});

test("a reader that keeps up never makes the source pause", async () => {
  const { queue, flow } = openQueue();
  const read = readAll(queue);
  for (let item = 0; item < 100; item++) {
    queue.push(item);
    await Promise.resolve();
    await Promise.resolve();
  }
  queue.end();
  assert.equal((await read).length, 100);
  assert.deepEqual(flow, []);
});

test("leaving the loop early ends the queue and drops what is unread", async () => {
  const { queue } = openQueue();
  for (const item of [1, 2, 3]) queue.push(item);
  for await (const item of queue) {
    assert.equal(item, 1);
    break;
  }
  queue.push(4);
  assert.deepEqual(await readAll(queue), []);
});

test("leaving the loop early lets a paused source go on, so that its end is seen", async () => {
  const { queue, flow } = openQueue();
  for (let item = 0; item < 20; item++) queue.push(item);
  for await (const item of queue) if (item === 0) break;
  assert.deepEqual(flow, ["pause", "resume"]);
});

function openQueue() {
  const flow: string[] = [];
  const queue = new ArrivalQueue<number>({
    pause: () => flow.push("pause"),
    resume: () => flow.push("resume"),
  });
  return { queue, flow };
}

async function readAll<Item>(queue: AsyncIterable<Item>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const item of queue) items.push(item);
  return items;
}
