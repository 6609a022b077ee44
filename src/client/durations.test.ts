// Every time that a caller gives: what is none is refused before anything is done, and no timer is given what it cannot keep.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "./index.ts";
import { connectHandshake, connectStateless } from "./wire-peer.test.ts";

const ofConnecting = [
  "startTimeoutMs",
  "probeTimeoutMs",
  "timeoutMs",
  "handlerTimeoutMs",
  "closeGraceMs",
  "termGraceMs",
] as const;
const ofCalling = ["timeoutMs", "maxTotalTimeoutMs"] as const;
const bad = [NaN, -1, -Infinity];
const refused = { name: "UsageError", code: "bad-duration" };

for (const name of ofConnecting) {
  test(`connect() refuses a ${name} that is none`, async () => {
    for (const ms of bad)
      await assert.rejects(connect({ command: "no-such-command" }, { [name]: ms }), refused);
  });
}

test("connect() refuses the patience of a person that is none", async () => {
  for (const timeoutMs of bad) {
    const auth = { interactive: { open: () => {}, timeoutMs } };
    await assert.rejects(connect({ url: "http://127.0.0.1:1/", auth }), refused);
  }
});

for (const name of ofCalling) {
  test(`a call refuses a ${name} that is none, and sends nothing`, async () => {
    const [client, peer] = await connectStateless(() => {});
    const sent = peer.lines.length;
    for (const ms of bad) {
      const options = { [name]: ms };
      await assert.rejects(client.callTool("a", {}, options), refused);
      await assert.rejects(client.listTools(options), refused);
      await assert.rejects(client.readResource("a:b", options), refused);
      await assert.rejects(client.request("a/b", {}, options), refused);
      await assert.rejects(
        client.subscribe({ toolsListChanged: true }, () => {}, options),
        refused,
      );
    }
    await client.close();
    assert.equal(peer.lines.length, sent);
  });
}

for (const ms of [2 ** 31, 2 ** 32, Number.MAX_VALUE, Infinity]) {
  test(`${ms} ms are waited for, and not the one that a timer makes of it`, async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    const [client] = await connectHandshake(
      (message, peer) => {
        if (message.method !== "tools/call") return;
        peer.write('{"jsonrpc":"2.0","id":"q","method":"roots/list"}\n');
        setTimeout(
          () => peer.write(`{"jsonrpc":"2.0","id":${message.id},"result":{"content":[]}}\n`),
          20,
        );
      },
      {
        ...Object.fromEntries(ofConnecting.map((name) => [name, ms])),
        handlers: { listRoots: () => new Promise(() => {}) },
      },
    );
    await client.callTool("a");
    const options = { timeoutMs: ms, maxTotalTimeoutMs: ms, resetTimeoutOnProgress: true };
    await client.callTool("a", {}, options);
    assert.equal(client.report().remarks.length, 0);
    await client.close();
    await new Promise(setImmediate);
    process.off("warning", onWarning);
    assert.deepEqual(warnings, []);
  });
}

test("a subscription waits without end for its acknowledgment when asked to", async () => {
  const [client] = await connectStateless((message, peer) => {
    const params = {
      _meta: { "io.modelcontextprotocol/subscriptionId": message.id },
      notifications: { toolsListChanged: true },
    };
    const method = "notifications/subscriptions/acknowledged";
    const line = JSON.stringify({ jsonrpc: "2.0", method, params });
    if (message.method === "subscriptions/listen") setTimeout(() => peer.write(`${line}\n`), 20);
  });
  const filter = { toolsListChanged: true };
  const { honoured } = await client.subscribe(filter, () => {}, { timeoutMs: Infinity });
  assert.equal(honoured.toolsListChanged, true);
  await client.close();
});

test("without limits a process is started once, and ends by itself", async () => {
  const folder = mkdtempSync(join(tmpdir(), "genkan-test-"));
  const log = join(folder, "starts");
  const server = `
    require("node:fs").appendFileSync(process.argv[1], "started\\n");
    process.stdin.on("data", (piece) => {
      const { id, method } = JSON.parse(String(piece));
      if (method !== "server/discover") return;
      const result = { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: {} };
      setTimeout(() => console.log(JSON.stringify({ jsonrpc: "2.0", id, result })), 50);
    });
    process.stdin.on("end", () => setTimeout(() => process.exit(3), 50));`;
  try {
    const client = await connect(
      { command: process.execPath, args: ["-e", server, log] },
      { startTimeoutMs: Infinity, closeGraceMs: Infinity, termGraceMs: Infinity },
    );
    const report = await client.close();
    assert.ok(report.kind === "process");
    assert.deepEqual([report.step, report.exitCode], ["stdin closed", 3]);
    assert.equal(readFileSync(log, "utf8"), "started\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
