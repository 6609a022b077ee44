import assert from "node:assert/strict";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { describe, test } from "node:test";

// A process of its own for each test: it serves by echoing methods, and its params can make it misbehave.
const script = `
import { openStdio } from ${JSON.stringify(new URL("index.ts", import.meta.url).href)};
const stdio = openStdio({ maxLineBytes: 1000 });
const { transport } = stdio;
const { pipeline } = await import("node:stream/promises");
const { Readable } = await import("node:stream");
const acts = {
  end: () => process.stdout.end("stray\\n"),
  destroy: () => process.stdout.destroy(),
  pipeline: () => pipeline(["stray\\n"], process.stdout).then(() => stdio.report("piped")),
  print: () => console.log("stray"),
  report: () => stdio.report("for a person"),
  throw: () => setImmediate(() => { throw new Error("thrown late"); }),
  throwNothing: () => setImmediate(() => { throw Object.create(null); }),
  reject: () => void Promise.reject(new Error("rejected late")),
};
async function serve() {
  for await (const arrivals of transport.incoming) {
    for (const arrival of arrivals) {
      if (arrival.kind === "fault") transport.send({ kind: "notification", method: arrival.name, params: undefined });
      if (arrival.kind !== "request") continue;
      acts[arrival.method]?.();
      transport.send({ kind: "result", id: arrival.id, result: { method: arrival.method } });
    }
    const drained = transport.drained();
    if (drained !== undefined) await drained;
  }
}
await Promise.race([serve(), stdio.terminated, stdio.overdue(500)]);
`;
const exit = "await stdio.exit(1000);";
// Gives the streams back instead, prints on them, and ends of itself: nothing is left that would keep it.
const dispose = `
await stdio[Symbol.asyncDispose]();
console.log("free");
process.exitCode = ["uncaughtException", "unhandledRejection", "SIGTERM", "SIGINT", "SIGHUP"]
  .reduce((sum, name) => sum + process.listenerCount(name), 0);
`;

const call = (id: number, method: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}"}\n`;
const reply = (id: number, method: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"method":"${method}"}}\n`;

describe("openStdio()", { concurrency: 2 }, () => {
  test("answers, and exits with code 0 when stdin ends", async () => {
    const peer = start();
    peer.child.stdin.end(call(1, "a") + call(2, "b"));
    assert.deepEqual(await peer.ended, [0, null]);
    assert.equal(peer.stdout(), reply(1, "a") + reply(2, "b"));
    assert.equal(peer.stderr(), "");
  });

  test("reads a last line without its newline before it exits", async () => {
    const peer = start();
    peer.child.stdin.end(call(1, "a").trimEnd());
    assert.deepEqual(await peer.ended, [0, null]);
    assert.equal(peer.stdout(), `{"jsonrpc":"2.0","method":"unfinished-line"}\n${reply(1, "a")}`);
  });

  test("exits with code 0 when stdin was never open", async () => {
    const peer = start();
    peer.child.stdin.end();
    assert.deepEqual(await peer.ended, [0, null]);
    assert.equal(peer.stdout() + peer.stderr(), "");
  });

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    test(`exits with code 0 on ${signal}, with what it sent written`, async () => {
      const peer = start();
      peer.child.stdin.write(call(1, "a"));
      await peer.hasWritten(reply(1, "a"));
      peer.child.kill(signal);
      assert.deepEqual(await peer.ended, [0, null]);
      assert.equal(peer.stderr(), "");
    });
  }

  test("goes on when the peer closes stderr", async () => {
    const peer = start();
    peer.child.stderr.destroy();
    for (const [index, method] of ["report", "print", "throw", "report", "a"].entries()) {
      peer.child.stdin.write(call(index, method));
      await peer.hasWritten(reply(index, method));
    }
    peer.child.stdin.end();
    assert.deepEqual(await peer.ended, [0, null]);
  });

  test("ends when the peer closes stdout, though stdin stays open", async () => {
    const peer = start();
    peer.child.stdin.write(call(1, "a"));
    await peer.hasWritten(reply(1, "a"));
    peer.child.stdout.destroy();
    peer.child.stdin.write(call(2, "b") + call(3, "c"));
    assert.deepEqual(await peer.ended, [0, null]);
    assert.equal(peer.stderr(), "");
  });

  test("reports an uncaught exception and an unhandled rejection, and goes on", async () => {
    const peer = start();
    for (const [index, method] of ["throw", "reject", "throwNothing", "a"].entries()) {
      peer.child.stdin.write(call(index, method));
      await peer.hasWritten(reply(index, method));
    }
    peer.child.stdin.end();
    assert.deepEqual(await peer.ended, [0, null]);
    const reports = peer.stderr().match(/^genkan: .*/gm);
    assert.deepEqual(reports?.toSorted(), [
      "genkan: an error outside of any call: Error: rejected late",
      "genkan: an error outside of any call: Error: thrown late",
      "genkan: an error outside of any call: a thrown object that has no text",
    ]);
  });

  test("keeps stray prints off the wire", async () => {
    const peer = start();
    peer.child.stdin.end(call(1, "print") + call(2, "print"));
    assert.deepEqual(await peer.ended, [0, null]);
    assert.equal(peer.stdout(), reply(1, "print") + reply(2, "print"));
    assert.match(
      peer.stderr(),
      /^genkan: stdout carries the protocol, so "stray\\n" went to stderr/,
    );
    assert.match(peer.stderr(), /\nstray\nstray\n$/);
  });

  test("stays open whoever ends its stdout", async () => {
    const peer = start();
    const acts = ["end", "pipeline", "destroy", "end", "pipeline", "a"];
    for (const [index, method] of acts.entries()) {
      peer.child.stdin.write(call(index, method));
      await peer.hasWritten(reply(index, method));
    }
    peer.child.stdin.end();
    assert.deepEqual(await peer.ended, [0, null]);
    assert.equal(peer.stdout(), acts.map((method, index) => reply(index, method)).join(""));
    assert.match(
      peer.stderr(),
      /^genkan: stdout carries the protocol, so it stays open; it was ended/m,
    );
    assert.equal(peer.stderr().match(/^stray$/gm)?.length, 4);
    assert.equal(peer.stderr().match(/^genkan: piped$/gm)?.length, 2);
  });

  test(
    "says why it ends when stdout cannot be written to",
    { skip: !existsSync("/dev/full") && "there is no /dev/full" },
    async () => {
      const full = openSync("/dev/full", "w");
      const child = spawn(process.execPath, ["--input-type=module", "--eval", script + exit], {
        stdio: ["pipe", full, "pipe"],
        timeout: 30_000,
      });
      closeSync(full);
      let told = "";
      child.stderr?.setEncoding("utf8").on("data", (text) => (told += text));
      child.stdin?.write(call(1, "a"));
      assert.deepEqual(await once(child, "close"), [0, null]);
      assert.match(told, /^genkan: stdout cannot be written to, so the server ends: ENOSPC/);
    },
  );

  test("refuses a line over its limit and reads the next one", async () => {
    const peer = start();
    peer.child.stdin.end(`${call(1, "a".repeat(1000))}${call(2, "b")}`);
    assert.deepEqual(await peer.ended, [0, null]);
    assert.equal(peer.stdout(), `{"jsonrpc":"2.0","method":"line-too-long"}\n${reply(2, "b")}`);
  });

  test("gives the streams back when it is disposed of", async () => {
    const peer = start({ ending: dispose });
    peer.child.stdin.write(call(1, "a"));
    await peer.hasWritten(reply(1, "a"));
    peer.child.kill("SIGTERM");
    assert.deepEqual(await peer.ended, [0, null]);
    assert.equal(peer.stdout(), `${reply(1, "a")}free\n`);
    assert.equal(peer.stderr(), "");
  });

  // 570 KB of replies: more than a pipe holds, and fewer calls than make the server stop reading.
  const flood = call(1, "x".repeat(900)).repeat(600);

  test("ends after its time though the peer, done sending, reads nothing", async () => {
    const peer = start({ isRead: false });
    peer.child.stdin.end(flood);
    assert.deepEqual(await peer.exited, [0, null]);
    peer.child.stdout.destroy();
  });

  test("ends on SIGTERM though the peer reads nothing", async () => {
    const peer = start({ isRead: false });
    peer.child.stdin.write(call(1, "report"));
    await once(peer.child.stderr, "data");
    peer.child.stdin.write(flood);
    peer.child.kill("SIGTERM");
    assert.deepEqual(await peer.exited, [0, null]);
    peer.child.stdout.destroy();
  });
});

function start({ isRead = true, ending = exit } = {}) {
  const child: ChildProcessWithoutNullStreams = spawn(
    process.execPath,
    ["--input-type=module", "--eval", script + ending],
    { timeout: 30_000 },
  );
  child.stdin.on("error", () => {}); // it may end before it has read everything
  const written = { stdout: "", stderr: "" };
  if (isRead) child.stdout.setEncoding("utf8").on("data", (text) => (written.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (written.stderr += text));
  return {
    child,
    /** Exit code and signal; `ended` once its pipes are closed too. */
    exited: once(child, "exit"),
    ended: once(child, "close"),
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    hasWritten: async (text: string) => {
      while (!written.stdout.includes(text)) await once(child.stdout, "data");
    },
  };
}
