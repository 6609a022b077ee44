// A process that does not do what it should is ended, and whoever asked it is told.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, test } from "node:test";
import { QueryError } from "../query-error.ts";
import { Answerer } from "./answerer.ts";
import { FrameAssembler } from "./frame-assembler.ts";
import { encodeFrame } from "../reader/frames.ts";

interface Said {
  readonly kind: string;
}

function isSaid(frame: unknown): frame is Said {
  return typeof frame === "object" && frame !== null && "kind" in frame;
}

/** Starts a process that runs this text, which has `say` for a frame and `raw` for bytes. */
function start(text: string): Answerer<Said, Said> {
  const program = `
    const raw = (bytes) => process.stdout.write(bytes);
    const say = (value) => {
      const body = Buffer.from(JSON.stringify(value));
      const head = Buffer.alloc(4);
      head.writeUInt32LE(body.length);
      raw(Buffer.concat([head, body]));
    };
    ${text}`;
  return new Answerer(spawn(process.execPath, ["--eval", program]), isSaid);
}

async function ask(
  answerer: Answerer<Said, Said>,
  deadlineMs = 20_000,
): Promise<Said | QueryError> {
  try {
    return await answerer.ask({ kind: "question" }, { deadlineMs, signal: undefined });
  } catch (thrown) {
    assert.ok(thrown instanceof QueryError, String(thrown));
    return thrown;
  }
}

const ready = `say({ kind: "ready" });`;
const onQuestion = (text: string): string =>
  `${ready} process.stdin.on("data", () => { ${text} });`;

describe("a process", () => {
  test("that answers is asked again and again", async () => {
    const answerer = start(onQuestion(`say({ kind: "answer" })`));
    for (let n = 0; n < 3; n++) assert.deepEqual(await ask(answerer), { kind: "answer" });
    answerer.kill();
    assert.equal(await answerer.exited, "SIGKILL");
    assert.deepEqual([answerer.isUsable, answerer.wasKilled], [false, true]);
  });

  for (const [name, text, kind, cause] of [
    [
      "dies in the middle of an answer",
      onQuestion(`raw(Buffer.from([9, 0, 0, 0, 123, 34])); process.kill(process.pid, "SIGKILL")`),
      "reader-died",
      "SIGKILL",
    ],
    ["dies before it answers", onQuestion("process.exit(7)"), "reader-died", "exit code 7"],
    [
      "ends its output and goes on",
      onQuestion("require('fs').closeSync(1)"),
      "reader-died",
      "SIGKILL",
    ],
    [
      "says what is no JSON",
      onQuestion("raw(Buffer.from([2, 0, 0, 0, 63, 63]))"),
      "reader-died",
      "SIGKILL",
    ],
    ["says what is no reply", onQuestion("say([1])"), "reader-died", "SIGKILL"],
    [
      "says how long a frame is, and it is too long",
      onQuestion("raw(Buffer.from([255, 255, 255, 127]))"),
      "reader-died",
      "SIGKILL",
    ],
    [
      "dies before it is ready",
      "console.error('no memory'); process.exit(1)",
      "reader-died",
      "exit code 1: no memory",
    ],
  ] as const)
    test(`that ${name} is ended, and who asked is told`, async () => {
      const answerer = start(text);
      const error = await ask(answerer);
      assert.ok(error instanceof QueryError);
      assert.equal(error.kind, kind);
      assert.ok(error.cause instanceof Error);
      assert.equal(error.cause.message, cause);
      await answerer.exited;
      assert.equal(answerer.isUsable, false);
      const again = await ask(answerer);
      assert.ok(again instanceof QueryError && again.kind === "reader-died");
    });

  test("that speaks though nobody asked is ended", async () => {
    const answerer = start(`${ready} say({ kind: "answer" }); process.stdin.resume()`);
    assert.equal(await answerer.exited, "SIGKILL");
    assert.equal(answerer.wasKilled, true);
  });

  test("that is not there is told of by its name", async () => {
    const answerer = new Answerer<Said, Said>(spawn("/nowhere/node"), isSaid);
    const error = await ask(answerer);
    assert.ok(error instanceof QueryError && error.cause instanceof Error);
    assert.equal(error.message, "The process that reads the database cannot be started");
    assert.equal(error.cause.message, "spawn /nowhere/node ENOENT");
    assert.equal(answerer.hasBeenReady, false);
  });

  test("that complains without an end is heard to its last words only", async () => {
    const answerer = start(
      `for (let n = 0; n < 100; n++) require("fs").writeSync(2, "x".repeat(10_000)); require("fs").writeSync(2, "the end"); process.exit(3)`,
    );
    await ask(answerer);
    await answerer.exited;
    assert.ok(answerer.lastWords.length <= 4_000 && answerer.lastWords.endsWith("the end"));
  });

  test("that takes too long is killed, and so is one that nobody waits for", async () => {
    const slow = start(onQuestion(""));
    const error = await ask(slow, 50);
    assert.ok(error instanceof QueryError && error.kind === "too-slow");
    assert.equal(await slow.exited, "SIGKILL");
    const left = start(onQuestion(""));
    const signal = AbortSignal.timeout(50);
    await assert.rejects(left.ask({ kind: "question" }, { deadlineMs: 20_000, signal }), {
      kind: "cancelled",
    });
    left.kill();
    assert.equal(await left.exited, "SIGKILL");
  });
});

describe("FrameAssembler", () => {
  test("puts frames together from any pieces", () => {
    const sent = [{ a: "é".repeat(300) }, {}, [1, 2], { b: null }];
    const bytes = Buffer.concat(sent.map(encodeFrame));
    for (const size of [1, 2, 3, 5, 7, 64, 1_000, bytes.length]) {
      const assembler = new FrameAssembler();
      const got: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size)
        got.push(...assembler.push(bytes.subarray(at, at + size)));
      assert.deepEqual(got, sent);
    }
  });

  test("refuses a frame that is longer than any may be", () => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(64 * 1024 ** 2);
    assert.deepEqual(new FrameAssembler().push(head), []);
    head.writeUInt32LE(64 * 1024 ** 2 + 1);
    assert.throws(() => new FrameAssembler().push(head), RangeError);
  });
});
