// Our client calls the official servers over HTTP, of both majors and all three transports, and our own.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createMcpHandler, McpServer as McpServer2 } from "@modelcontextprotocol/server";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";
import { connect, createServer as createGenkan, type ConnectOptions } from "../../src/index.ts";
import { serveHttp } from "../../src/server/index.ts";

/** Uses what every server here has: an echo that reports progress, and a question in between. */
async function tour(url: string, options: ConnectOptions, revision: string): Promise<void> {
  const elicit = (): { action: "accept"; content: { colour: string } } => ({
    action: "accept",
    content: { colour: "red" },
  });
  await using client = await connect(
    { url },
    { timeoutMs: 5_000, ...options, handlers: { elicit } },
  );
  assert.equal(client.revision, revision);
  assert.deepEqual((await client.listTools()).map(({ name }) => name).toSorted(), ["ask", "echo"]);
  const heard: number[] = [];
  const echoed = await client.callTool(
    "echo",
    { text: "é\n" },
    { onProgress: ({ progress }) => heard.push(progress) },
  );
  assert.deepEqual(echoed.content, [{ type: "text", text: "é\n" }]);
  assert.deepEqual(heard, [1]);
  if (revision >= "2025-06-18")
    assert.match(JSON.stringify((await client.callTool("ask")).content), /red/);
  const many = await Promise.all(
    Array.from({ length: 30 }, (_, index) => client.callTool("echo", { text: `${index}` })),
  );
  assert.deepEqual(
    many.map(({ content }) => content[0]),
    Array.from({ length: 30 }, (_, index) => ({ type: "text", text: `${index}` })),
  );
  const missing = await client.callTool("missing").catch((error: unknown) => String(error));
  assert.match(JSON.stringify(missing), /missing/);
  assert.deepEqual(client.report().faults, []);
}

function makeV1(): McpServer {
  const server = new McpServer({ name: "v1", version: "1" });
  server.registerTool(
    "echo",
    { inputSchema: { text: z.string() } },
    async ({ text }, { _meta, sendNotification }) => {
      const token = _meta?.progressToken;
      if (token !== undefined)
        await sendNotification({
          method: "notifications/progress",
          params: { progressToken: token, progress: 1 },
        });
      return { content: [{ type: "text", text }] };
    },
  );
  server.registerTool("ask", {}, async () => {
    const answer = await server.server.elicitInput({
      message: "Which?",
      requestedSchema: { type: "object", properties: { colour: { type: "string" } } },
    });
    return { content: [{ type: "text", text: JSON.stringify(answer) }] };
  });
  return server;
}

for (const enableJsonResponse of [false, true])
  test(`@modelcontextprotocol/sdk by sessions, ${enableJsonResponse ? "JSON" : "event streams"}`, async () => {
    const transports = new Map<string, StreamableHTTPServerTransport>();
    await using server = await serve(async (request, response) => {
      const known = transports.get(String(request.headers["mcp-session-id"]));
      if (known !== undefined) return known.handleRequest(request, response);
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse,
        onsessioninitialized: (id) => void transports.set(id, transport),
        onsessionclosed: (id) => void transports.delete(id),
      });
      await makeV1().connect(transport);
      await transport.handleRequest(request, response);
    });
    if (!enableJsonResponse) {
      await tour(`${server.url}/mcp`, {}, "2025-11-25");
      await tour(`${server.url}/mcp`, { revision: "2025-06-18" }, "2025-06-18");
      assert.equal(transports.size, 0, "each session was ended");
      return;
    }
    await using client = await connect({ url: server.url });
    assert.equal((await client.callTool("echo", { text: "a" })).content.length, 1);
  });

test("@modelcontextprotocol/sdk by the HTTP+SSE of 2024-11-05", async () => {
  const transports = new Map<string, SSEServerTransport>();
  await using server = await serve(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://x");
    if (request.method === "GET" && url.pathname === "/sse") {
      const transport = new SSEServerTransport("/messages", response);
      transports.set(transport.sessionId, transport);
      return makeV1().connect(transport);
    }
    const known = transports.get(url.searchParams.get("sessionId") ?? "");
    if (known === undefined) return void response.writeHead(404).end("Cannot POST");
    await known.handlePostMessage(request, response);
  });
  await tour(`${server.url}/sse`, {}, "2025-11-25");
});

test("@modelcontextprotocol/server without sessions", async () => {
  const handler = createMcpHandler(() => {
    const server = new McpServer2({ name: "v2", version: "1" });
    server.registerTool(
      "echo",
      { inputSchema: z.object({ text: z.string() }) },
      async ({ text }) => ({ content: [{ type: "text", text }] }),
    );
    return server;
  });
  await using server = await serve(async (request, response) => {
    const answer = await handler.fetch(
      new Request(new URL(request.url ?? "/", "http://localhost"), {
        method: request.method ?? "GET",
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        ...(request.method === "POST" ? { body: await bodyOf(request) } : {}),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const piece of answer.body ?? []) response.write(piece);
    response.end();
  });
  await using client = await connect({ url: `${server.url}/mcp` });
  assert.equal(client.revision, "2026-07-28");
  assert.deepEqual((await client.callTool("echo", { text: "é" })).content, [
    { type: "text", text: "é" },
  ]);
  await assert.rejects(client.callTool("missing"), /-32602/);
  await using older = await connect({ url: `${server.url}/mcp` }, { era: "handshake" });
  assert.equal(older.revision, "2025-11-25");
  assert.equal((await older.callTool("echo", { text: "a" })).content.length, 1);
  await handler.close();
});

for (const revision of ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"])
  test(`Genkan itself in ${revision}`, async () => {
    const genkan = createGenkan({ name: "own", version: "1" });
    genkan.addTool({
      name: "echo",
      input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      run: ({ text }, { progress }) => {
        progress(1);
        return text;
      },
    });
    genkan.addTool({
      name: "ask",
      run: async (_, { elicit }) =>
        JSON.stringify(
          await elicit({
            message: "Which?",
            requestedSchema: { type: "object", properties: { colour: { type: "string" } } },
          }),
        ),
    });
    await using service = await serveHttp(genkan);
    await tour(service.url, { revision }, revision);
  });

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const piece of request) body += String(piece);
  return body;
}

async function serve(
  listener: (...parts: Parameters<RequestListener>) => Promise<void>,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server: Server = createServer((request, response) => void listener(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
