import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { LineBuffer } from "./line-buffer.ts";

test("take() gives what was appended, and begins anew", () => {
  const buffer = new LineBuffer();
  buffer.append(Buffer.from("ab"));
  buffer.append(Buffer.from(""));
  buffer.append(Buffer.from("c"));
  assert.equal(buffer.length, 3);
  assert.equal(buffer.take().toString(), "abc");
  assert.equal(buffer.length, 0);
  assert.equal(buffer.take().toString(), "");
  buffer.append(Buffer.from("d"));
  assert.equal(buffer.take().toString(), "d");
});

test("clear() forgets what was appended", () => {
  const buffer = new LineBuffer();
  buffer.append(Buffer.from("ab"));
  buffer.clear();
  buffer.append(Buffer.from("c"));
  assert.equal(buffer.take().toString(), "c");
});

test("a mebibyte of single bytes takes twice its memory at most, and a growth for each doubling", (t) => {
  const allocated = countAllocations(t);
  const buffer = new LineBuffer();
  const byte = Buffer.from("x");
  for (let count = 0; count < 1024 * 1024; count++) buffer.append(byte);
  assert.equal(allocated().length, 11); // 1 KiB, 2 KiB … 1 MiB
  assert.equal(allocated().at(-1), 1024 * 1024);
  assert.equal(buffer.take().length, 1024 * 1024);
});

test("8 MiB in pieces of 4 KiB are copied once more at most", (t) => {
  const allocated = countAllocations(t);
  const buffer = new LineBuffer();
  const piece = Buffer.alloc(4096, "x");
  for (let count = 0; count < 2048; count++) buffer.append(piece);
  const copied = allocated()
    .slice(0, -1)
    .reduce((sum, size) => sum + size, 0);
  assert.ok(copied < 8 * 1024 * 1024, `${copied} bytes were copied into larger buffers`);
  assert.equal(buffer.take().length, 8 * 1024 * 1024);
});

test("memory up to 64 KiB is used again, and more is given back", (t) => {
  const allocated = countAllocations(t);
  const appendTwice = (size: number): number => {
    const buffer = new LineBuffer();
    const before = allocated().length;
    for (let round = 0; round < 2; round++) {
      buffer.append(Buffer.alloc(size));
      buffer.take();
    }
    return allocated().length - before;
  };
  assert.equal(appendTwice(64 * 1024 - 1), 1);
  assert.equal(appendTwice(64 * 1024), 1);
  assert.equal(appendTwice(64 * 1024 + 1), 2);
});

/** Watches the one function by which a LineBuffer takes memory. */
function countAllocations(t: TestContext): () => readonly number[] {
  const { mock } = t.mock.method(Buffer, "allocUnsafeSlow");
  return () => mock.calls.map(({ arguments: [size] }) => size);
}
