// The ways in which starting a server fails, each told from the others.

import { quoteEnd } from "./last-words.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientError, connect, type ConnectOptions, type ConnectTarget } from "./index.ts";

const hasty: ConnectOptions = {
  startTimeoutMs: 1_500,
  probeTimeoutMs: 400,
  closeGraceMs: 100,
  termGraceMs: 500,
};

const isWindows = process.platform === "win32";

function script(text: string): ConnectTarget {
  return { command: process.execPath, args: ["-e", text] };
}

async function failTo(target: ConnectTarget, options: ConnectOptions = {}): Promise<ClientError> {
  const error: unknown = await connect(target, options).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ClientError, String(error));
  return error;
}

test("a command that does not exist is not launched", async () => {
  const error = await failTo({ command: "no-such-command-here", args: ["a b"] });
  assert.equal(error.code, "not-launched");
  assert.equal(
    error.message,
    `Cannot connect to "no-such-command-here 'a b'": there is no command "no-such-command-here", expected a program on the PATH or the path of one`,
  );
  assert.deepEqual(error.hint, { text: "command -v no-such-command-here" });
});

test("a directory that does not exist is named, for Node does not tell it from a missing command", async () => {
  const error = await failTo({ command: process.execPath, cwd: "/no/such/directory" });
  assert.equal(error.code, "not-launched");
  assert.match(error.message, /or no directory "\/no\/such\/directory" to start it in/);
});

test("a process that exits before it replies has exited, with code, stderr and the first stray line", async () => {
  const error = await failTo(
    script(
      `console.log("\\u001b[31mUsage"); console.error("Error:\\u0007 no key\\n  at x"); process.exit(3)`,
    ),
  );
  assert.equal(error.code, "exited");
  assert.deepEqual(error.exit, { exitCode: 3, signal: null });
  assert.match(
    error.message,
    /the process exited with code 3 before it replied, expected a reply to initialize; the first line on stdout that is no message: "Usage"/,
  );
  assert.match(error.message, /stderr ended with: "Error:\\x07 no key \| at x"$/);
});

test("a process that says nothing is silent", async () => {
  assert.equal((await failTo(script("setTimeout(() => {}, 9000)"), hasty)).code, "silent");
});

test("a process that still writes to stderr is slow", async () => {
  const error = await failTo(script(`setInterval(() => console.error("Downloading"), 50)`), hasty);
  assert.equal(error.code, "slow");
  assert.match(
    error.message,
    /still writes.*stderr ended with: "Downloading \| Downloading \| Downloading"$/,
  );
});

test("a process that prints to stdout and does not reply has polluted it", async () => {
  const error = await failTo(script(`console.log("Listening"); setTimeout(() => {}, 9000)`), hasty);
  assert.equal(error.code, "polluted");
  assert.match(error.message, /1 line that is no message, and no reply/);
});

test("a process that closes stdout and runs on has closed it", async () => {
  const error = await failTo(
    script(`require("node:fs").closeSync(1); setTimeout(() => {}, 9000)`),
    { ...hasty, startTimeoutMs: 10_000 },
  );
  assert.equal(error.code, "closed");
  assert.match(error.message, /closed its stdout before it replied, and runs on/);
});

for (const [era, asked] of [
  ["handshake", "initialize"],
  ["stateless", "server/discover"],
  ["auto", "server/discover or initialize"],
] as const) {
  test(`silence names what was asked: ${asked}`, async () => {
    const error = await failTo(script("setTimeout(() => {}, 9000)"), {
      ...hasty,
      startTimeoutMs: 900,
      probeTimeoutMs: 100,
      era,
    });
    assert.equal(error.code, "silent");
    assert.ok(error.message.endsWith(`expected a reply to ${asked}`), error.message);
  });
}

test("a program that only echoes is told from a server", { skip: isWindows }, async () => {
  const error = await failTo({ command: "cat" });
  assert.equal(error.code, "protocol");
  assert.equal(
    error.message,
    `Cannot connect to "cat": it sends back what it is sent, expected a reply to initialize`,
  );
});

/** A server that answers `ping` half a second after it was asked, and takes nothing more after the first. */
const deaf = `process.stdin.on("data", (piece) => {
  for (const line of String(piece).trim().split("\\n")) {
    const { id, method } = JSON.parse(line);
    const reply = (result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
    if (method === "initialize") reply({ protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "deaf", version: "1" } });
    if (method === "ping") {
      process.stdin.destroy();
      require("node:fs").closeSync(0);
      setTimeout(() => process.stdout.write('{"jsonrpc":"2.0","method":"notifications/deaf"}\\n'), 50);
      setTimeout(() => reply({}), 1500);
    }
  }
});`;

test("calls that a server does not take any more fail, and those it took get their replies", async () => {
  const { promise: isDeaf, resolve } = Promise.withResolvers<void>();
  await using client = await connect(script(deaf), {
    era: "handshake",
    timeoutMs: 60_000,
    onNotification: () => resolve(),
  });
  const taken = client.ping();
  await isDeaf;
  const lost = client.callTool("a");
  await assert.rejects(lost, {
    code: "closed",
    message:
      'Cannot call "tools/call a": the server has closed its stdin, and runs on, expected a reply to tools/call',
  });
  await assert.rejects(client.callTool("b"), { code: "closed", message: /closed its stdin/ });
  await taken;
});

test("a call whose time is over says that the server has closed its stdin", async () => {
  const { promise: isDeaf, resolve } = Promise.withResolvers<void>();
  await using client = await connect(script(deaf), {
    era: "handshake",
    onNotification: () => resolve(),
  });
  void client.ping().catch(() => {}); // ends with the connection
  await isDeaf;
  await assert.rejects(client.callTool("a", {}, { timeoutMs: 100 }), {
    code: "timeout",
    message: /expected a result or an error; the server has closed its stdin$/,
  });
});

test("an aborted signal ends a start at once and leaves no process", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  const error = await failTo(script("setTimeout(() => {}, 9000)"), {
    ...hasty,
    startTimeoutMs: 60_000,
    signal: controller.signal,
  });
  assert.equal(error.code, "cancelled");
});

test("calls that run when the process dies fail at once, with how it died", async () => {
  const server = `process.stdin.on("data", (piece) => {
    for (const line of String(piece).trim().split("\\n")) {
      const { id, method } = JSON.parse(line);
      if (method === "server/discover") console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: {} } }));
      else { console.error("fatal: out of memory"); process.kill(process.pid, "SIGKILL"); }
    }
  });`;
  await using client = await connect(script(server));
  const error: unknown = await client.callTool("a").catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ClientError);
  assert.equal(error.code, "exited");
  assert.match(
    error.message,
    /^Cannot call "tools\/call a": the process was ended by SIGKILL before it replied, expected a reply to tools\/call; stderr ended with: "fatal: out of memory"$/,
  );
  const report = await client.close();
  assert.ok(report.kind === "process");
  assert.deepEqual(
    [report.step, report.leftovers, report.exitCode, report.signal],
    ["already exited", "none", null, "SIGKILL"],
  );
});

test("quoteEnd() gives the last three lines that say something", () => {
  assert.equal(quoteEnd(" \r\n\n"), undefined);
  assert.equal(quoteEnd("a\nb\n\nc\r\nd\n"), '"b | c | d"');
});
