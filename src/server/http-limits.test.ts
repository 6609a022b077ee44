// Every limit of serving over HTTP: just below it, at it, and just above it; and that others are unharmed.

import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import {
  call,
  json,
  listen,
  openSession,
  speakRaw,
  stateless,
} from "../../fixtures/http-caller.ts";
import { createSubject, until } from "../../fixtures/http-subject.ts";
import { initializeParams } from "../../fixtures/wire-script.ts";
import { defaultHttpLimits } from "../transport/http/limits.ts";
import { serveHttp } from "./index.ts";
import type { HttpService } from "./index.ts";

const isAnswering = async (http: HttpService): Promise<void> =>
  assert.equal((await call(http.url, stateless("tools/list"))).status, 200);

const wait = stateless("tools/call", { name: "wait" });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test("every limit has a default and says what harm it stops", async () => {
  const { readFile } = await import("node:fs/promises");
  const source = await readFile(new URL("../transport/http/limits.ts", import.meta.url), "utf8");
  const document = await readFile(new URL("../../docs/http.md", import.meta.url), "utf8");
  for (const [name, value] of Object.entries(defaultHttpLimits)) {
    assert.ok(value > 0);
    assert.match(
      source,
      new RegExp(String.raw`\* [^\n]+: [^\n]+\n  readonly ${name}: number`),
      name,
    );
    assert.ok(document.includes(`| \`${name}\` |`), `docs/http.md lists ${name}`);
  }
});

test("maxBodyBytes: a body at the limit is read, one byte more is 413, declared or not", async () => {
  const { headers, body } = stateless("tools/call", { name: "echo", arguments: { text: "é" } });
  const text = JSON.stringify(body);
  const size = Buffer.byteLength(text);
  await using http = await serveHttp(createSubject().server, { maxBodyBytes: size + 1 });
  for (const [padding, status] of [
    [0, 200],
    [1, 200],
    [2, 413],
  ] as const) {
    const padded = text + " ".repeat(padding);
    const declared = await call(http.url, { headers, body: padded });
    assert.equal(declared.status, status, `${padding} over, declared`);
    const chunked = await speakRaw(http.url, [
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n${Object.entries(
        headers,
      )
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("")}\r\n`,
      `${(size + padding).toString(16)}\r\n${padded}\r\n0\r\n\r\n`,
    ]);
    assert.match(chunked, new RegExp(`^HTTP/1.1 ${status} `), `${padding} over, chunked`);
  }
});

test("maxBodyBytes: whoever goes on sending is heard out for a moment, then cut off", async () => {
  await using http = await serveHttp(createSubject().server, { maxBodyBytes: 1000 });
  const socket = connect(Number(new URL(http.url).port), "127.0.0.1");
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  let heard = "";
  let sent = 0;
  socket.on("data", (piece) => (heard += piece.toString()));
  socket.on("error", () => {}); // a reset is how being cut off looks
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const startedAt = performance.now();
  while (!socket.destroyed && performance.now() - startedAt < 3000) {
    if (socket.writableLength < 1_000_000) socket.write(chunk);
    sent++;
    await pause(1);
  }
  assert.match(heard, /^HTTP\/1\.1 413 .*connection: close.*"error"/s);
  assert.ok(socket.destroyed, `the connection is closed, after ${sent} chunks`);
  await isAnswering(http);
});

test("maxHeaderBytes: a head above the limit is 431", async () => {
  await using http = await serveHttp(createSubject().server, { limits: { maxHeaderBytes: 2000 } });
  const head = (length: number) =>
    speakRaw(
      http.url,
      `GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: ${"x".repeat(length)}\r\n\r\n`,
    );
  assert.match(await head(1700), /^HTTP\/1\.1 405 /);
  assert.match(await head(2100), /^HTTP\/1\.1 431 .*"error"/s);
});

test("headersTimeoutMs: a head that comes a byte at a time is 408, a quick one is read", async () => {
  await using http = await serveHttp(createSubject().server, { limits: { headersTimeoutMs: 200 } });
  const slow = await speakRaw(
    http.url,
    Array.from("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: a"),
    { gapMs: 15, silenceMs: 1000 },
  );
  assert.match(slow, /^HTTP\/1\.1 408 .*took longer/s);
  await isAnswering(http);
});

test("headersTimeoutMs: a connection that says nothing is closed", async () => {
  await using http = await serveHttp(createSubject().server, { limits: { headersTimeoutMs: 100 } });
  const startedAt = performance.now();
  await speakRaw(http.url, [], { silenceMs: 1000 });
  const took = performance.now() - startedAt;
  assert.ok(took > 90 && took < 900, `${took} ms`);
});

test("requestTimeoutMs: a body that comes too slowly is 408, and others are unharmed", async () => {
  await using http = await serveHttp(createSubject().server, { limits: { requestTimeoutMs: 200 } });
  const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n`;
  const slow = speakRaw(http.url, [head, ...Array.from("{".padEnd(50))], {
    gapMs: 15,
    silenceMs: 1000,
  });
  await isAnswering(http);
  assert.match(await slow, /^HTTP\/1\.1 408 /);
  const quick = await speakRaw(http.url, [head, "{".padEnd(60)], { gapMs: 50 });
  assert.match(quick, /^HTTP\/1\.1 400 .*-32700/s);
});

test("keepAliveTimeoutMs: a connection between two requests is closed after it", async () => {
  await using http = await serveHttp(createSubject().server, {
    limits: { keepAliveTimeoutMs: 50 },
  });
  const startedAt = performance.now();
  await speakRaw(http.url, "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", { silenceMs: 5000 });
  assert.ok(performance.now() - startedAt < 3000);
});

test("maxConnections: one above the limit is closed at once, and those within it work", async () => {
  await using http = await serveHttp(createSubject().server, { limits: { maxConnections: 3 } });
  const port = Number(new URL(http.url).port);
  const sockets: Socket[] = [];
  const open = async (): Promise<boolean> => {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => {}); // a reset is one way of closing
    const closed = new Promise<boolean>((resolve) => socket.once("close", () => resolve(false)));
    return Promise.race([closed, pause(60).then(() => true)]);
  };
  assert.deepEqual(
    [await open(), await open(), await open(), await open()],
    [true, true, true, false],
  );
  for (const socket of sockets) socket.destroy();
  await pause(20);
  await isAnswering(http);
});

test("maxInFlight: one call above the limit is 503 and may come again", async () => {
  const { server, waiting, release } = createSubject();
  await using http = await serveHttp(server, { limits: { maxInFlight: 2 } });
  const first = call(http.url, wait);
  await until("one runs", () => waiting() === 1);
  await isAnswering(http);
  const second = call(http.url, wait);
  await until("two run", () => waiting() === 2);
  const third = await call(http.url, stateless("tools/list"));
  assert.equal(third.status, 503);
  assert.equal(third.headers["retry-after"], "1");
  release();
  await Promise.all([first, second]);
  await isAnswering(http);
});

test("maxInFlight: bodies that do not come count, and give their place back", async () => {
  await using http = await serveHttp(createSubject().server, { limits: { maxInFlight: 1 } });
  const half = connect(Number(new URL(http.url).port), "127.0.0.1");
  half.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n{`,
  );
  await pause(30);
  assert.equal((await call(http.url, stateless("tools/list"))).status, 503);
  half.destroy();
  await pause(30);
  await isAnswering(http);
});

test("maxInFlight: a call whose caller has left counts until its code ends", async () => {
  const { server } = createSubject();
  const { promise, resolve } = Promise.withResolvers<string>();
  let isRunning = false;
  server.addTool({
    name: "stubborn",
    run: () => {
      isRunning = true;
      return promise;
    },
  });
  await using http = await serveHttp(server, { limits: { maxInFlight: 1 } });
  const leaving = new AbortController();
  const { signal } = leaving;
  const left = call(http.url, { ...stateless("tools/call", { name: "stubborn" }), signal });
  await until("it runs", () => isRunning);
  leaving.abort();
  await assert.rejects(left);
  await pause(30);
  assert.equal((await call(http.url, stateless("tools/list"))).status, 503);
  resolve("done");
  await pause(10);
  await isAnswering(http);
});

test("maxInFlight: a call whose session has ended counts until its code ends", async () => {
  const { server } = createSubject();
  const { promise, resolve } = Promise.withResolvers<string>();
  let isRunning = false;
  server.addTool({
    name: "stubborn",
    run: () => {
      isRunning = true;
      return promise;
    },
  });
  await using http = await serveHttp(server, { limits: { maxInFlight: 1 } });
  const headers = await openSession(http.url, "2024-11-05");
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "stubborn" } };
  const left = call(http.url, { headers, body });
  await until("it runs", () => isRunning);
  assert.equal((await call(http.url, { method: "DELETE", headers })).status, 204);
  await left;
  assert.equal((await call(http.url, stateless("tools/list"))).status, 503);
  resolve("done");
  await pause(10);
  await isAnswering(http);
});

test("maxStreams: a listener above the limit is 503, and a call is answered without its stream", async () => {
  await using http = await serveHttp(createSubject().server, { limits: { maxStreams: 2 } });
  const listening = () =>
    listen(http.url, stateless("subscriptions/listen", { notifications: {} }));
  const first = await listening();
  const second = await listening();
  assert.deepEqual([first.status, second.status], [200, 200]);
  const third = await call(http.url, stateless("subscriptions/listen", { notifications: {} }));
  assert.equal(third.status, 503);
  const steps = await call(
    http.url,
    stateless("tools/call", { name: "steps", _meta: { progressToken: 1 } }),
  );
  assert.equal(steps.json.result.content[0].text, "3");
  const headers = await openSession(http.url);
  assert.equal((await call(http.url, { method: "GET", headers })).status, 503);
  first.leave();
  await pause(20);
  const fourth = await listening();
  assert.equal(fourth.status, 200);
});

test("maxStreamsPerSession: one GET above the limit is 429, another session's is not", async () => {
  await using http = await serveHttp(createSubject().server, {
    limits: { maxStreamsPerSession: 2 },
  });
  const headers = await openSession(http.url);
  const one = await listen(http.url, { method: "GET", headers });
  const two = await listen(http.url, { method: "GET", headers });
  assert.deepEqual([one.status, two.status], [200, 200]);
  assert.equal((await call(http.url, { method: "GET", headers })).status, 429);
  const other = await listen(http.url, { method: "GET", headers: await openSession(http.url) });
  assert.equal(other.status, 200);
  one.leave();
  await pause(20);
  assert.equal((await listen(http.url, { method: "GET", headers })).status, 200);
});

for (const era of ["stateless", "session"] as const)
  test(`maxStreamBacklogBytes: a ${era} client that never reads is cut off, and others are unharmed`, async () => {
    const { server } = createSubject();
    await using http = await serveHttp(server, { limits: { maxStreamBacklogBytes: 100_000 } });
    const params = {
      name: "large",
      arguments: { bytes: 200 * 1024 * 1024 },
      _meta: { "io.modelcontextprotocol/logLevel": "info" },
    };
    const sent =
      era === "stateless"
        ? stateless("tools/call", params)
        : {
            headers: await openSession(http.url),
            body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
          };
    const text = JSON.stringify(sent.body);
    const socket = connect(Number(new URL(http.url).port), "127.0.0.1");
    socket.on("error", () => {}); // a reset is how being cut off looks
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    const lines = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.pause();
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join("")}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
    const before = process.memoryUsage().rss;
    await pause(700);
    await isAnswering(http);
    assert.ok(process.memoryUsage().rss - before < 100 * 1024 * 1024, "the memory stays flat");
    socket.resume();
    await closed;
  });

test("maxStreamBacklogBytes: one message may be larger, for a client that reads", async () => {
  await using http = await serveHttp(createSubject().server, {
    limits: { maxStreamBacklogBytes: 10 },
  });
  const text = "x".repeat(1_000_000);
  const { headers, body } = stateless("tools/call", { name: "echo", arguments: { text } });
  const stream = await listen(http.url, {
    headers: { ...headers, accept: "text/event-stream" },
    body,
  });
  assert.equal((await stream.next())?.data.result.content[0].text, text);
});

test("stallTimeoutMs: a long answer that nobody takes is given up", async () => {
  await using http = await serveHttp(createSubject().server, {
    limits: { stallTimeoutMs: 150 },
    maxBodyBytes: 30_000_000,
  });
  const text = JSON.stringify(
    stateless("tools/call", { name: "echo", arguments: { text: "x".repeat(20_000_000) } }).body,
  );
  const { headers } = stateless("tools/call", { name: "echo" });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(new URL(http.url).port), "127.0.0.1");
  socket.on("error", () => {}); // a reset is how being cut off looks
  socket.pause();
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join("")}Content-Length: ${text.length}\r\n\r\n${text}`,
  );
  await pause(1200);
  let heard = 0;
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("data", (piece) => (heard += piece.length));
  socket.resume();
  await closed;
  assert.ok(heard < 20_000_000, `${heard} bytes had been taken by the socket`);
  await isAnswering(http);
});

test("keepAliveMs: quiet streams get comments, and a long call gets its stream for them", async () => {
  const { server, waiting, release } = createSubject();
  await using http = await serveHttp(server, { limits: { keepAliveMs: 30 } });
  const headers = await openSession(http.url);
  const [listener, stateful, modern] = await Promise.all([
    listen(http.url, stateless("subscriptions/listen", { notifications: {} })),
    listen(http.url, {
      headers,
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wait" } },
    }),
    listen(http.url, wait),
  ]);
  assert.equal(waiting(), 2);
  await pause(120);
  for (const stream of [listener, stateful, modern]) assert.match(stream.text(), /^: still here$/m);
  release();
  assert.equal((await modern.next())?.data.result.content[0].text, "released");
  assert.equal((await stateful.next())?.data, undefined);
  assert.equal((await stateful.next())?.data.result.content[0].text, "released");
});

test("maxSessions: above the limit one that was never used makes room; when all are used, 503", async () => {
  await using http = await serveHttp(createSubject().server, { limits: { maxSessions: 2 } });
  const initialize = {
    headers: json,
    body: { jsonrpc: "2.0", id: 1, method: "initialize", params: initializeParams("2025-11-25") },
  };
  const used = await openSession(http.url);
  const unused = await call(http.url, initialize);
  assert.equal(unused.status, 200);
  const third = await openSession(http.url);
  const gone = { ...json, "mcp-session-id": String(unused.headers["mcp-session-id"]) };
  assert.equal(
    (await call(http.url, { headers: gone, body: { jsonrpc: "2.0", id: 2, method: "ping" } }))
      .status,
    404,
  );
  const fourth = await call(http.url, initialize);
  assert.equal(fourth.status, 503);
  assert.equal(fourth.json.id, 1);
  for (const headers of [used, third])
    assert.equal(
      (await call(http.url, { headers, body: { jsonrpc: "2.0", id: 3, method: "ping" } })).status,
      200,
    );
  await call(http.url, { method: "DELETE", headers: used });
  assert.equal((await call(http.url, initialize)).status, 200);
});

test("sessionIdleMs: a session ends when nothing happens, and not while something does", async () => {
  const { server, waiting, release } = createSubject();
  await using http = await serveHttp(server, { limits: { sessionIdleMs: 150 } });
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const idle = await openSession(http.url);
  const busy = await openSession(http.url);
  const listener = await openSession(http.url);
  const stream = await listen(http.url, { method: "GET", headers: listener });
  const running = call(http.url, {
    headers: { ...busy, accept: "application/json" },
    body: { ...ping, id: 2, method: "tools/call", params: { name: "wait" } },
  });
  await until("it runs", () => waiting() === 1);
  await pause(80);
  const kept = await openSession(http.url);
  await pause(120);
  const statusOf = async (headers: Record<string, string>) =>
    (await call(http.url, { headers, body: ping })).status;
  assert.equal(await statusOf(idle), 404);
  assert.equal(await statusOf(kept), 200);
  assert.equal(await statusOf(busy), 200);
  assert.equal(await statusOf(listener), 200);
  release();
  await running;
  stream.leave();
});

test("maxStoredEvents: a client that comes back gets the latest of what it missed, and no more", async () => {
  await using http = await serveHttp(createSubject().server, { limits: { maxStoredEvents: 2 } });
  const headers = await openSession(http.url, "2025-06-18");
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "steps", _meta: { progressToken: 1 } },
  };
  const stream = await listen(http.url, { headers, body });
  const first = await stream.next();
  await stream.ended;
  const resumed = await listen(http.url, {
    method: "GET",
    headers: { ...headers, "last-event-id": first?.id ?? "" },
  });
  assert.equal((await resumed.next())?.data.params.progress, 3);
  assert.equal((await resumed.next())?.data.id, 1);
});

test(
  "3 000 connections of silence are bounded, and the server answers",
  { timeout: 20_000 },
  async () => {
    await using http = await serveHttp(createSubject().server, {
      limits: { maxConnections: 200, headersTimeoutMs: 300 },
    });
    const port = Number(new URL(http.url).port);
    let closed = 0;
    for (let batch = 0; batch < 10; batch++) {
      const sockets = Array.from({ length: 300 }, () => connect(port, "127.0.0.1"));
      for (const socket of sockets) {
        socket.on("error", () => {}); // a reset is one way of closing
        socket.on("close", () => closed++);
      }
      await pause(20);
      for (const socket of sockets) socket.destroy();
    }
    await until("all are closed", () => closed === 3000);
    await pause(50);
    await isAnswering(http);
  },
);
