import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import express from "express";
import { call, speakRaw, stateless } from "../../fixtures/http-caller.ts";
import { createSubject, until } from "../../fixtures/http-subject.ts";
import { createFetchHandler, createNodeHandler } from "./index.ts";
import type { FetchHandle, HttpHandler, NodeHandle } from "./index.ts";

const toRequest = (
  { headers, body }: ReturnType<typeof stateless>,
  init: RequestInit = {},
): Request =>
  new Request("http://localhost/mcp", {
    method: "POST",
    headers,
    body: JSON.stringify(body),
    ...init,
  });

describe("createFetchHandler()", () => {
  const { server, cancelled, waiting, release } = createSubject();
  let mcp: HttpHandler<FetchHandle>;
  before(async () => {
    mcp = await createFetchHandler(server, {
      maxBodyBytes: 2000,
      limits: { maxStreamBacklogBytes: 100_000 },
    });
  });
  after(() => mcp.close());

  test("answers with JSON", async () => {
    const response = await mcp.handle(toRequest(stateless("tools/list")));
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/json");
  });

  test("answers with a stream", async () => {
    const sent = stateless("tools/call", { name: "steps", _meta: { progressToken: 1 } });
    const response = await mcp.handle(toRequest(sent));
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    const text = await response.text();
    assert.equal(text.match(/^data: /gm)?.length, 4);
  });

  test("a request that is aborted cancels its call", async () => {
    cancelled.length = 0;
    const calling = new AbortController();
    const { signal } = calling;
    void mcp.handle(toRequest(stateless("tools/call", { name: "wait" }), { signal }));
    await until("it runs", () => waiting() === 1);
    calling.abort();
    await until("it is cancelled", () => cancelled.length === 1);
  });

  test("a stream that is cancelled is over", async () => {
    const sent = stateless("subscriptions/listen", { notifications: {} });
    const response = await mcp.handle(toRequest(sent));
    const reader = response.body?.getReader();
    assert.match(new TextDecoder().decode((await reader?.read())?.value), /acknowledged/);
    await reader?.cancel();
    const again = await mcp.handle(toRequest(sent));
    await again.body?.cancel();
  });

  test("a stream that is cancelled or aborted gives its place back", async () => {
    const { server: other } = createSubject();
    const narrow = await createFetchHandler(other, { limits: { maxStreams: 1 } });
    const sent = stateless("subscriptions/listen", { notifications: {} });
    for (const how of ["cancelled", "aborted", "cancelled", "aborted"]) {
      const listening = new AbortController();
      const { signal } = listening;
      const response = await narrow.handle(toRequest(sent, { signal }));
      assert.equal(response.status, 200, how);
      if (how === "aborted") listening.abort();
      else await response.body?.cancel();
    }
    await narrow.close();
  });

  test("a stream that nobody reads is broken off", async () => {
    const meta = { "io.modelcontextprotocol/logLevel": "info" };
    const args = { bytes: 1e9 };
    const sent = stateless("tools/call", { name: "large", arguments: args, _meta: meta });
    const response = await mcp.handle(toRequest(sent));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await assert.rejects(response.text(), /broken off/);
  });

  test("refuses a body above the limit, a page and a host, as a port does", async () => {
    const large = stateless("tools/call", { name: "echo", arguments: { text: "x".repeat(3000) } });
    assert.equal((await mcp.handle(toRequest(large))).status, 413);
    const origin = { ...stateless("tools/list").headers, origin: "https://evil.example" };
    const page = toRequest({ headers: origin, body: {} });
    assert.equal((await mcp.handle(page)).status, 403);
    const host = await mcp.handle(new Request("http://evil.example/mcp", { method: "POST" }));
    assert.equal(host.status, 403);
    const preflight = new Request("http://localhost/mcp", {
      method: "OPTIONS",
      headers: { origin: "http://localhost" },
    });
    assert.equal((await mcp.handle(preflight)).status, 204);
  });

  test("a body that breaks off is no harm", async () => {
    const body = new ReadableStream({
      start: (controller) => controller.error(new Error("gone")),
    });
    const { headers } = stateless("tools/list");
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers,
      body,
      duplex: "half",
    });
    void mcp.handle(request);
    const response = await mcp.handle(toRequest(stateless("tools/list")));
    assert.equal(response.status, 200);
  });

  test("refuses after it is closed, and lets what runs finish", async () => {
    const other = await createFetchHandler(server);
    const running = other.handle(toRequest(stateless("tools/call", { name: "wait" })));
    await until("it runs", () => waiting() === 1);
    const closing = other.close();
    const late = await other.handle(toRequest(stateless("tools/list")));
    assert.equal(late.status, 503);
    release();
    assert.match(await (await running).text(), /released/);
    await closing;
  });
});

describe("createNodeHandler()", () => {
  test("a peer that left before its turn holds no place, and a body that was taken is none", async () => {
    const mcp = await createNodeHandler(createSubject().server, { limits: { maxInFlight: 1 } });
    let handled = 0;
    const listening = createServer((request, response) => {
      const isTaken = request.headers["x-taken"] !== undefined;
      if (isTaken) request.resume();
      setTimeout(() => {
        mcp.handle(request, response);
        handled++;
      }, 40);
    });
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    const address = listening.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const url = `http://127.0.0.1:${port}/mcp`;
    const half = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n{`;
    await speakRaw(url, half, { leaveMs: 5 });
    await until("it was its turn", () => handled === 1);
    const sent = stateless("tools/list");
    const taken = await call(url, { ...sent, headers: { ...sent.headers, "x-taken": "1" } });
    assert.equal(taken.status, 400);
    assert.equal((await call(url, sent)).status, 200);
    await mcp.close();
    listening.close();
    listening.closeAllConnections();
  });

  test("takes a body that a framework has parsed already", async () => {
    const mcp: HttpHandler<NodeHandle> = await createNodeHandler(createSubject().server);
    const app = express();
    app.use(express.json());
    app.all("/mcp", mcp.handle);
    const listening = createServer((request, response) => void app(request, response));
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    const address = listening.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const url = `http://127.0.0.1:${port}/mcp`;
    const sent = stateless("tools/call", { name: "echo", arguments: { text: "é" } });
    const answer = await call(url, sent);
    assert.equal(answer.json.result.content[0].text, "é");
    await mcp.close();
    assert.equal((await call(url, sent)).status, 503);
    await new Promise((resolve) => listening.close(resolve));
  });
});
