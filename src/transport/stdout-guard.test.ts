import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

// The guard is about a process's real stdout, so each test is a process of its own.
const guard = new URL("stdout-guard.ts", import.meta.url).href;

test("console.log goes to stderr, and the first of them is reported with its place", () => {
  const { stdout, stderr } = run(`
    protocol.write("one\\n");
    console.log("Connected to %s", "db");
    console.info("again");
    protocol.write("two\\n");
  `);
  assert.equal(stdout, "one\ntwo\n");
  const [report, ...rest] = stderr.split("\n");
  assert.match(
    report ?? "",
    /^report: stdout carries the protocol, so "Connected to db\\n" went to stderr instead, as will all that follows; it was written at .*file:\/\/\/.*:4:13\)?; print with console\.error$/,
  );
  assert.deepEqual(rest, ["Connected to db", "again", ""]);
});

test("the place is where the print stands, however deep the library that does it", () => {
  const { stderr } = run(`
    function connect() {
      process.stdout.write("ready\\n");
    }
    connect();
  `);
  assert.match(stderr, /written at connect \(file:\/\/\/.*:4:22\); print/);
});

test("every way to write to process.stdout is turned away, and each callback is called", () => {
  const { stdout, stderr } = run(`
    const told = [];
    const tell = (name) => (error) => told.push(name + ":" + error);
    const taken = [
      process.stdout.write("plain "),
      process.stdout.write("with callback ", tell("a")),
      process.stdout.write("with encoding ", "utf8", tell("b")),
      process.stdout.write("6865782120", "hex"),
      process.stdout.write(Buffer.from("buffer "), tell("c")),
      process.stdout.write(new Uint8Array([0x75, 0x38, 0x20])),
      process.stdout.write("null encoding\\n", null, null),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    protocol.write(told.join(" ") + "; " + taken.every((each) => each === true));
  `);
  assert.equal(stdout, "a:null b:null c:null; true");
  assert.equal(
    stderr.split("\n").slice(1).join("\n"),
    "plain with callback with encoding hex! buffer u8 null encoding\n",
  );
});

test("a pipe into stdout is turned away", () => {
  const { stdout, stderr } = run(`
    const { Readable } = await import("node:stream");
    const { pipeline } = await import("node:stream/promises");
    Readable.from(["piped\\n"]).pipe(process.stdout);
    await pipeline(Readable.from(["through a pipeline\\n"]), process.stdout, { end: false });
    protocol.write("message\\n");
  `);
  assert.equal(stdout, "message\n");
  const [, ...rest] = stderr.trimEnd().split("\n");
  assert.deepEqual(rest.toSorted(), ["piped", "through a pipeline"]);
});

test("every way to end process.stdout leaves it open, and what it would have written goes to stderr", () => {
  const { stdout, stderr } = run(`
    const told = [];
    const tell = (name) => () => told.push(name);
    const same = [
      process.stdout.end(),
      process.stdout.end(tell("a")),
      process.stdout.end("chunk ", tell("b")),
      process.stdout.end("6865782120", "hex", tell("c")),
      process.stdout.end(null, null, null),
      process.stdout.end(Buffer.from("buffer")),
      process.stdout.destroy(),
      process.stdout.destroy(new Error("theirs")),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    protocol.write(told.join() + "; " + same.every((each) => each === process.stdout) + " " + process.stdout.writable);
  `);
  assert.equal(stdout, "a,b,c; true true");
  assert.match(
    stderr,
    /^report: stdout carries the protocol, so it stays open; it was ended at file:.*:6:22\n/,
  );
  assert.match(stderr, /chunk hex! buffer$/);
});

test("a pipeline into stdout ends, also when its source fails", () => {
  const { stdout } = run(`
    const { Readable, Transform } = await import("node:stream");
    const { pipeline } = await import("node:stream/promises");
    const fail = async function* () { yield "half"; throw new Error("source failed"); };
    const through = new Transform({ transform: (chunk, _encoding, done) => done(null, chunk) });
    await pipeline(Readable.from(["a"]), process.stdout);
    await pipeline(["b"], process.stdout);
    await pipeline(["c"], through, process.stdout);
    const failures = [];
    await pipeline(Readable.from(fail()), process.stdout).catch((error) => failures.push(error.message));
    await pipeline(fail, process.stdout).catch((error) => failures.push(error.message));
    protocol.write(failures.join());
  `);
  assert.equal(stdout, "source failed,source failed");
});

test("the real end of stdout is the protocol's alone", () => {
  const { stdout } = run(`
    protocol.write("last");
    protocol.end();
    await new Promise((resolve) => setImmediate(resolve));
    process.exitCode = process.stdout.writable ? 1 : 0;
  `);
  assert.equal(stdout, "last");
});

test("the report shows 60 characters of a long print, on one line", () => {
  const { stderr } = run(`
    console.log("x\\n" + "y".repeat(58));
  `);
  assert.ok(stderr.includes(`so "x\\n${"y".repeat(58)}…" went to stderr`), stderr);
  const whole = run(`
    process.stdout.write("y".repeat(60));
  `);
  assert.ok(whole.stderr.includes(`so "${"y".repeat(60)}" went to stderr`), whole.stderr);
});

test("prints after the release go to stdout again", () => {
  const { stdout, stderr } = run(`
    protocol.release();
    console.log("free");
    protocol.write("still works\\n");
  `);
  assert.equal(stdout, "free\nstill works\n");
  assert.equal(stderr, "");
});

test("the release does not undo what others have put in place since", () => {
  const { stdout } = run(`
    const seen = [];
    process.stdout.write = (chunk) => seen.push(chunk);
    protocol.release();
    process.stdout.write("theirs");
    protocol.write("seen: " + seen);
  `);
  assert.equal(stdout, "seen: theirs");
});

/** Runs the lines in a process whose stdout is guarded by `protocol`; they begin at line 3. */
function run(lines: string): { readonly stdout: string; readonly stderr: string } {
  const script =
    `import { guardStdout } from ${JSON.stringify(guard)};\n` +
    `const protocol = guardStdout(process.stdout, process.stderr, (text) => process.stderr.write("report: " + text + "\\n"));` +
    lines;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", script],
    { encoding: "utf8", timeout: 30_000 },
  );
  assert.equal(status, 0, stderr);
  return { stdout, stderr };
}
