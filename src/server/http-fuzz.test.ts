// Random requests, good, odd and hostile, for a while: the server goes on answering, in bounded memory, and leaks nothing.
// GENKAN_FUZZ_SECONDS=60 node --test src/server/http-fuzz.test.ts runs it for longer.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { call, openSession, stateless } from "../../fixtures/http-caller.ts";
import { createSubject } from "../../fixtures/http-subject.ts";
import { serveHttp } from "./index.ts";

const seconds = Number(process.env["GENKAN_FUZZ_SECONDS"] ?? 3);

/** A small generator of numbers that repeats itself for a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test("random requests leave the server answering", { timeout: (seconds + 30) * 1000 }, async () => {
  const seed = Date.now() & 0xffff_ffff;
  const random = createRandom(seed);
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  const { server, reports, release } = createSubject({ limits: { drainMs: 200 } });
  const limits = {
    maxSessions: 50,
    sessionIdleMs: 500,
    headersTimeoutMs: 300,
    requestTimeoutMs: 500,
    maxStreams: 20,
    keepAliveMs: 50,
  };
  await using http = await serveHttp(server, { limits, maxBodyBytes: 100_000 });
  const { port } = new URL(http.url);
  const sessions = [await openSession(http.url), await openSession(http.url, "2025-03-26")];

  const text = (): string =>
    Array.from({ length: Math.floor(random() * 20) }, () =>
      String.fromCharCode(Math.floor(random() * 300)),
    ).join("");
  const value = (depth = 0): unknown =>
    pick<() => unknown>([
      () => null,
      () => random() * 1e6,
      () => Math.floor(random() * 10),
      text,
      () => random() < 0.5,
      () =>
        depth > 3
          ? {}
          : { [text()]: value(depth + 1), name: value(depth + 1), _meta: value(depth + 1) },
      () => (depth > 3 ? [] : [value(depth + 1), value(depth + 1)]),
    ])();
  const message = (): unknown => ({
    jsonrpc: pick(["2.0", "2.0", "2.0", "1.0", 2]),
    ...(random() < 0.8 && {
      id: pick<unknown>([1, "1", 0, "", null, 1.5, {}, Math.floor(random() * 1000)]),
    }),
    ...(random() < 0.9 && {
      method: pick<unknown>([
        "initialize",
        "tools/call",
        "tools/list",
        "ping",
        "notifications/cancelled",
        "subscriptions/listen",
        "resources/read",
        "logging/setLevel",
        text(),
        5,
      ]),
    }),
    ...(random() < 0.8 && {
      params: pick<() => unknown>([
        value,
        () => stateless("x").body["params"],
        () => ({ name: pick(["echo", "steps", "wait", "ask"]), arguments: value() }),
      ])(),
    }),
    ...(random() < 0.1 && { result: value() }),
    ...(random() < 0.1 && { error: value() }),
  });
  const body = (): Buffer => {
    const sent = JSON.stringify(random() < 0.15 ? [message(), message()] : message());
    const bytes = Buffer.from(
      pick([
        sent,
        sent,
        sent,
        sent.slice(0, random() * sent.length),
        text(),
        sent + sent,
        " ".repeat(random() * 150_000) + sent,
      ]),
    );
    if (random() < 0.1 && bytes.length > 0)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    return bytes;
  };
  const header = (): string =>
    pick<() => string>([
      () => `mcp-protocol-version: ${pick(["2026-07-28", "2025-11-25", "2025-03-26", "x", ""])}`,
      () => `mcp-method: ${pick(["tools/call", "tools/list", "ping"])}`,
      () => `mcp-name: ${pick(["echo", "steps", "=?base64?ZWNobw==?=", "=?base64?!?="])}`,
      () =>
        `mcp-session-id: ${pick([sessions[0]?.["mcp-session-id"] ?? "", sessions[1]?.["mcp-session-id"] ?? "", text(), "x".repeat(5000)])}`,
      () =>
        `accept: ${pick(["*/*", "application/json", "text/event-stream", "text/html", ";;q=,", text()])}`,
      () => `origin: ${pick(["null", "http://localhost", "https://evil.example", text()])}`,
      () => `last-event-id: ${pick(["0-0", "1-0", "99-99", text()])}`,
      () => `content-encoding: ${pick(["gzip", "identity", text()])}`,
      () => `authorization: Bearer ${text()}`,
      () => `${text()}: ${text()}`,
    ])();
  const request = (): Buffer => {
    const sent = body();
    const head = [
      `${pick(["POST", "POST", "POST", "POST", "GET", "DELETE", "OPTIONS", "HEAD", "PUT", text()])} ${pick(["/mcp", "/mcp", "/mcp", "/mcp?x", "/", "*", "//", text()])} ${pick(["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/9", text()])}`,
      `host: ${pick(["localhost", `127.0.0.1:${port}`, "evil.example", "[::1]", text()])}`,
      `content-type: ${pick(["application/json", "application/json", "application/json", "text/plain", text()])}`,
      pick([
        `content-length: ${sent.length}`,
        `content-length: ${sent.length}`,
        `content-length: ${sent.length}`,
        `content-length: ${Math.floor(random() * 1000)}`,
        "transfer-encoding: chunked",
        "x: y",
      ]),
      ...Array.from({ length: Math.floor(random() * 6) }, header),
    ];
    return Buffer.concat([
      Buffer.from(`${head.join("\r\n")}\r\n\r\n`, pick(["utf8", "latin1"])),
      sent,
    ]);
  };

  let sent = 0;
  let heard = 0;
  let leaks = 0;
  const speak = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), "127.0.0.1");
      const leaveAfter = setTimeout(() => socket.destroy(), pick([5, 20, 50, 200]));
      socket.on("data", (piece: Buffer) => {
        heard++;
        if (/the inner secret|node:internal|\.ts:\d+/.test(piece.toString("latin1"))) leaks++;
      });
      socket.on("error", () => {}); // a reset is one way of closing
      socket.on("close", () => {
        clearTimeout(leaveAfter);
        resolve();
      });
      socket.write(request());
      if (random() < 0.3) socket.write(request());
      sent++;
    });

  const deadline = performance.now() + seconds * 1000;
  let checks = 0;
  while (performance.now() < deadline) {
    await Promise.all(Array.from({ length: 20 }, speak));
    release();
    const answer = await call(
      http.url,
      stateless("tools/call", { name: "echo", arguments: { text: "still" } }),
    );
    assert.equal(answer.status, 200, `seed ${seed}: ${answer.text}`);
    checks++;
  }
  assert.ok(
    sent > 100 && heard > 50 && checks > 5,
    `${sent} sent, ${heard} heard, ${checks} checked`,
  );
  assert.equal(leaks, 0, `seed ${seed}`);
  assert.deepEqual(
    reports.filter((report) => !report.includes("the inner secret")),
    [],
    `seed ${seed}`,
  );
});
