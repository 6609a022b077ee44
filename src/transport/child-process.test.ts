// How a child process is started, drained and ended.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ByteTail } from "./byte-tail.ts";
import { startChild, type ChildTransport } from "./child-process.ts";
import { LineTap } from "./line-tap.ts";
import { guardProcessGroup } from "./process-group.ts";
import { pickSafeEnvironment } from "./safe-environment.ts";

const isWindows = process.platform === "win32";

function startScript(
  script: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ChildTransport> {
  return startChild({ command: process.execPath, args: ["-e", script], env });
}

async function hear(child: ChildTransport): Promise<void> {
  for await (const _ of child.incoming) return;
}

const ready = `process.stdout.write('{"jsonrpc":"2.0","method":"ready"}\\n');`;

test("a process that ends at stdin's end needs the first step alone", async () => {
  const child = await startScript(
    `${ready} process.stdin.resume().on("end", () => { console.error("bye"); process.exitCode = 4; });`,
  );
  await hear(child);
  const report = await child.stop();
  assert.deepEqual(
    { ...report, durationMs: 0 },
    {
      durationMs: 0,
      step: "stdin closed",
      leftovers: "none",
      exitCode: 4,
      signal: null,
      stderrTail: "bye\n",
    },
  );
});

test(
  "a process that stays gets SIGTERM, and one that ignores it SIGKILL",
  { skip: isWindows },
  async () => {
    const stays = await startScript(`setInterval(() => {}, 1000); ${ready}`);
    const ignores = await startScript(
      `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); ${ready}`,
    );
    await Promise.all([hear(stays), hear(ignores)]);
    const reports = await Promise.all(
      [stays, ignores].map((child) => child.stop({ closeGraceMs: 30, termGraceMs: 300 })),
    );
    assert.deepEqual(
      reports.map(({ step, signal }) => [step, signal]),
      [
        ["SIGTERM", "SIGTERM"],
        ["SIGKILL", "SIGKILL"],
      ],
    );
  },
);

test(
  "what a process leaves behind is ended with it, though it holds the pipes",
  { skip: isWindows },
  async () => {
    const grandchild = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); process.stdout.write("\\\\n");`;
    const child = await startScript(
      `require("node:child_process").spawn(process.execPath, ["-e", '${grandchild}'], { stdio: ["ignore", "inherit", "inherit"] }).unref();
     process.stdin.resume();`,
    );
    await hear(child);
    const report = await child.stop({ termGraceMs: 100 });
    assert.deepEqual([report.step, report.leftovers], ["stdin closed", "SIGKILL"]);
  },
);

test("an ended process was already exited, and stopping twice gives one report", async () => {
  const child = await startScript("process.exit(3)");
  assert.deepEqual(await child.exited, { exitCode: 3, signal: null });
  const report = await child.stop();
  assert.equal(report.step, "already exited");
  assert.equal(await child.stop(), report);
});

test("incoming ends with what a dying process wrote last", async () => {
  await using child = await startScript(
    `process.stdout.write("Usage: x\\n"); process.stdin.destroy();`,
  );
  child.send({ kind: "notification", method: "x", params: undefined });
  const faults: unknown[] = [];
  for await (const arrivals of child.incoming)
    for (const arrival of arrivals) if (arrival.kind === "fault") faults.push(arrival.excerpt);
  assert.deepEqual(faults, ["Usage: x"]);
});

test("stderr is drained without end and kept at its end", async () => {
  await using child = await startScript(
    `process.stderr.write("x".repeat(1_000_000) + "end", () => { ${ready} });`,
  );
  await hear(child);
  await child.finished;
  assert.equal(child.stderr.totalBytes, 1_000_003);
  assert.equal(child.stderr.text().length, 65_536);
  assert.ok(child.stderr.text().endsWith("xend"));
});

test("a command that does not exist rejects with ENOENT", async () => {
  await assert.rejects(startChild({ command: "no-such-command-here" }), { code: "ENOENT" });
});

for (const pid of [undefined, 0, 1, -5, Number.NaN]) {
  test(`a child with the id ${pid} is not guarded, for a signal to it would reach others`, () => {
    const child = { pid, exitCode: null, signalCode: null, kill: () => true };
    assert.throws(() => guardProcessGroup(child), {
      name: "RangeError",
      message: `Cannot guard the process: its id is ${pid}, expected one above 1`,
    });
  });
}

test("no shell reads the arguments", async () => {
  await using child = await startChild({
    command: process.execPath,
    args: ["-e", "console.error(process.argv[1])", "$HOME; `id`"],
  });
  await child.finished;
  assert.equal(child.stderr.text(), "$HOME; `id`\n");
});

test("a child has the short environment and what was added", async () => {
  process.env["GENKAN_TEST_SECRET"] = "secret";
  try {
    await using child = await startScript(
      "console.error(process.env.GENKAN_TEST_SECRET, process.env.ADDED, typeof process.env.PATH)",
      { ADDED: "1" },
    );
    await child.finished;
    assert.equal(child.stderr.text(), "undefined 1 string\n");
  } finally {
    delete process.env["GENKAN_TEST_SECRET"];
  }
});

test("a process that exits takes its children with it", { skip: isWindows }, async () => {
  const module = fileURLToPath(import.meta.resolve("./child-process.ts"));
  const script = `const { startChild } = await import(${JSON.stringify(module)});
    const child = await startChild({ command: process.execPath, args: ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"] });
    console.log(child.pid); process.exit(0);`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  const pid = Number(stdout);
  assert.ok(pid > 0, stdout);
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
});

function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

test("pickSafeEnvironment() lets names through that programs need, and no functions of a shell", () => {
  const environment = {
    PATH: "/bin",
    HOME: "/h",
    LC_ALL: "C",
    TZ: "UTC",
    AWS_SECRET: "x",
    TERM: "() { :; }",
    Path: "p",
  };
  assert.deepEqual(pickSafeEnvironment(environment, "linux"), {
    PATH: "/bin",
    HOME: "/h",
    LC_ALL: "C",
    TZ: "UTC",
  });
  assert.deepEqual(pickSafeEnvironment({ Path: "p", SystemRoot: "c", HOME: "h" }, "win32"), {
    Path: "p",
    SystemRoot: "c",
  });
});

for (const [pieces, kept] of [
  [["abc"], "abc"],
  [["abcd"], "abcd"],
  [["abcde"], "bcde"],
  [["ab", "c", "de"], "bcde"],
  [["abcdefgh", "ij"], "ghij"],
] as const) {
  test(`a ByteTail of 4 bytes keeps ${JSON.stringify(kept)} of ${JSON.stringify(pieces)}`, () => {
    const tail = new ByteTail(4);
    for (const piece of pieces) tail.append(Buffer.from(piece));
    assert.equal(tail.text(), kept);
    assert.equal(tail.totalBytes, pieces.join("").length);
  });
}

test("a LineTap shows whole lines, and pieces of those over its limit", () => {
  const seen: string[] = [];
  const tap = new LineTap("received", ({ bytes }) => seen.push(bytes.toString()), 4);
  for (const piece of ["a", "b\ncd\r\n", "\nabcd", "e", "fg\nrest"]) tap.pass(Buffer.from(piece));
  tap.end();
  assert.deepEqual(seen, ["ab\n", "cd\r\n", "\n", "abcde", "fg\n", "rest"]);
});
