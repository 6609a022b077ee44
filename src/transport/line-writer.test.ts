import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { LineWriter, type LineWriterOptions } from "./line-writer.ts";

const note = (method: string) => ({ kind: "notification", method, params: undefined }) as const;
const lineOf = (method: string): string => `{"jsonrpc":"2.0","method":"${method}"}\n`;
const backlog = 256 * 1024;
const withoutName = lineOf("").length;

test("all messages of one turn leave in one write", async () => {
  const { writer, writes } = openWriter();
  for (const method of ["a", "b", "漢"]) writer.send(note(method));
  writer.send({ kind: "batch", items: [note("c")] });
  assert.deepEqual(writes, []);
  await nextTurn();
  assert.deepEqual(writes, [
    `${lineOf("a")}${lineOf("b")}${lineOf("漢")}[{"jsonrpc":"2.0","method":"c"}]\n`,
  ]);
});

test("messages of microtasks leave with their turn, and those of the next turn after it", async () => {
  const { writer, writes } = openWriter();
  writer.send(note("a"));
  await Promise.resolve();
  writer.send(note("b"));
  await nextTurn();
  writer.send(note("c"));
  await nextTurn();
  assert.deepEqual(writes, [lineOf("a") + lineOf("b"), lineOf("c")]);
});

test("what cannot be encoded throws where it is sent and does not spoil the others", async () => {
  const { writer, writes } = openWriter();
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  writer.send(note("a"));
  for (const result of [{ big: 1n }, circle])
    assert.throws(() => writer.send({ kind: "result", id: 1, result }), TypeError);
  writer.send(note("b"));
  await nextTurn();
  assert.deepEqual(writes, [lineOf("a") + lineOf("b")]);
});

test("an observer sees each write before it happens", async () => {
  const seen: string[] = [];
  const { writer, writes } = openWriter({
    onWrite: (lines) => seen.push(`${writes.length}: ${lines}`),
  });
  writer.send(note("a"));
  await writer.flushed();
  assert.deepEqual(seen, [`0: ${lineOf("a")}`]);
});

test("drained() asks to wait from 256 KiB of backlog on", async () => {
  for (const [size, waits] of [
    [backlog - 1, false],
    [backlog, true],
    [backlog + 1, true],
  ] as const) {
    const { writer, release } = openWriter({}, { isHeld: true });
    writer.send(note("x".repeat(size - withoutName)));
    assert.equal(writer.drained() !== undefined, waits, `${size} bytes`);
    release();
    await writer.flushed();
  }
});

test("drained() resolves when the peer has taken the backlog", async () => {
  const { writer, writes, release } = openWriter({}, { isHeld: true });
  writer.send(note("x".repeat(backlog)));
  const drained = track(writer.drained());
  const again = track(writer.drained());
  await nextTurn();
  assert.equal(writes.length, 1); // it was written at once, to be taken
  assert.deepEqual([drained.isDone, again.isDone], [false, false]);
  release();
  await Promise.all([drained.promise, again.promise]);
  assert.equal(writer.drained(), undefined);
});

test("drained() asks to wait for each backlog anew", async () => {
  const { writer, hold, release } = openWriter({}, { isHeld: true });
  for (let round = 0; round < 2; round++) {
    hold();
    writer.send(note("x".repeat(backlog)));
    const drained = track(writer.drained());
    await nextTurn();
    assert.equal(drained.isDone, false);
    release();
    await drained.promise;
  }
});

test("drained() resolves when the stream breaks or closes", async () => {
  for (const error of [new Error("EPIPE"), undefined]) {
    const { writer, stream } = openWriter({}, { isHeld: true });
    writer.send(note("x".repeat(backlog)));
    const drained = writer.drained();
    assert.notEqual(drained, undefined);
    stream.destroy(error);
    await drained;
    assert.equal(writer.drained(), undefined);
  }
});

test("drained() does not wait for a drain that a roomy stream never tells", () => {
  const { writer } = openWriter({}, { isHeld: true, highWaterMark: 10 * backlog });
  writer.send(note("x".repeat(backlog)));
  assert.equal(writer.drained(), undefined);
});

test("waiting leaves no listeners behind", async () => {
  const { writer, stream, release } = openWriter({}, { isHeld: true });
  const count = (): number =>
    stream.eventNames().reduce((sum, name) => sum + stream.listenerCount(name), 0);
  const before = count();
  writer.send(note("x".repeat(backlog)));
  const waits = Array.from({ length: 20 }, () => writer.drained());
  assert.ok(count() <= before + 3, "many wait at one place");
  const flushes = Array.from({ length: 3 }, () => writer.flushed());
  release();
  await Promise.all([...waits, ...flushes]);
  assert.equal(count(), before);
});

test("flushed() resolves once everything was handed over", async () => {
  const { writer, writes, release } = openWriter({}, { isHeld: true });
  writer.send(note("a"));
  const flushed = track(writer.flushed());
  await nextTurn();
  assert.equal(flushed.isDone, false);
  assert.deepEqual(writes, [lineOf("a")]);
  release();
  await flushed.promise;
});

test("flushed() resolves with nothing to flush, and when the stream breaks meanwhile", async () => {
  await openWriter().writer.flushed();
  for (const error of [new Error("EPIPE"), undefined]) {
    const { writer, stream } = openWriter({}, { isHeld: true });
    writer.send(note("a"));
    const flushed = writer.flushed();
    stream.destroy(error);
    await flushed;
    await writer.flushed();
  }
});

test("after a broken pipe nothing is written, and the sender is told once", async () => {
  let told = 0;
  const { writer, stream, writes } = openWriter({ onBroken: () => told++ });
  writer.send(note("a"));
  stream.destroy(new Error("write EPIPE"));
  await nextTurn();
  for (const method of ["b", "c"]) {
    writer.send(note(method));
    await nextTurn();
  }
  assert.deepEqual(writes, []);
  assert.equal(told, 1);
});

test("a stream that closes by itself is told as a broken one is", async () => {
  let told = 0;
  const { stream } = openWriter({ onBroken: () => told++ });
  stream.destroy();
  await nextTurn();
  assert.equal(told, 1);
});

test("end() writes what is queued, and drops what is sent later", async () => {
  let told = 0;
  const { writer, stream, writes } = openWriter({ onBroken: () => told++ });
  writer.send(note("a"));
  writer.end();
  writer.send(note("b"));
  assert.equal(writer.drained(), undefined);
  await writer.flushed();
  await nextTurn();
  assert.deepEqual(writes, [lineOf("a")]);
  assert.equal(stream.writableFinished, true);
  assert.equal(told, 0);
});

test("a writer with a way of its own never calls the stream's write", async () => {
  const { stream, writes } = openWriter();
  const original = stream.write.bind(stream);
  stream.write = () => assert.fail("the stream's write is turned away");
  const writer = new LineWriter(stream, {}, original);
  writer.send(note("a"));
  await writer.flushed();
  assert.deepEqual(writes, [lineOf("a")]);
});

test("a writer with an end of its own never calls the stream's end", async () => {
  const { stream } = openWriter();
  const [write, end] = [stream.write.bind(stream), stream.end.bind(stream)];
  stream.end = () => assert.fail("the stream's end is turned away");
  new LineWriter(stream, {}, write, end).end();
  await nextTurn();
  assert.equal(stream.writableFinished, true);
});

test("what one turn sends leaves in several writes, where one string could not hold it", async () => {
  const { writer, writes } = openWriter({}, { highWaterMark: 2 ** 30 });
  const half = "x".repeat(32 * 1024 * 1024 - withoutName);
  for (const method of [half, half, "a", half, half, half]) writer.send(note(method));
  await nextTurn();
  const sizes = writes.map((each) => Math.round(each.length / 2 ** 20));
  assert.deepEqual(sizes, [64, 32, 64]);
  assert.equal(writes.join("").match(/\n/g)?.length, 6);
});

test("the backlog is what the peer has not taken", async () => {
  const { writer, hold, release } = openWriter();
  assert.equal(writer.backlog, 0);
  hold();
  writer.send(note("a"));
  assert.equal(writer.backlog, lineOf("a").length);
  await nextTurn();
  writer.send(note("b"));
  assert.equal(writer.backlog, 2 * lineOf("a").length);
  await nextTurn();
  release();
  await writer.flushed();
  assert.equal(writer.backlog, 0);
});

interface Opened {
  readonly writer: LineWriter;
  readonly stream: Writable;
  /** What reached the stream, without the empty writes by which `flushed()` finds the end of the queue. */
  readonly writes: string[];
  /** Makes the stream keep what it is given from now on. */
  readonly hold: () => void;
  /** Lets a held stream take what it was given, and all that comes. */
  readonly release: () => void;
}

function openWriter(
  options: LineWriterOptions = {},
  { isHeld = false, highWaterMark = 16 * 1024 } = {},
): Opened {
  const writes: string[] = [];
  let holds = isHeld;
  let taken: (() => void) | undefined;
  const stream = new Writable({
    highWaterMark,
    write: (chunk: Buffer, _encoding, done) => {
      if (chunk.length > 0) writes.push(chunk.toString());
      if (holds) taken = done;
      else done();
    },
  });
  const hold = (): void => {
    holds = true;
  };
  const release = (): void => {
    holds = false;
    taken?.();
  };
  return { writer: new LineWriter(stream, options), stream, writes, hold, release };
}

function track(promise: Promise<void> | undefined) {
  assert.notEqual(promise, undefined);
  const tracked = { promise, isDone: false };
  void promise?.then(() => {
    tracked.isDone = true;
  });
  return tracked;
}

/** Two rounds of the event loop: one for what is scheduled, one for what that brings about. */
async function nextTurn(): Promise<void> {
  for (let round = 0; round < 2; round++) await new Promise((resolve) => setImmediate(resolve));
}
