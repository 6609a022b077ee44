// The limits of calling over HTTP, just below, at, and just above.

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { maxErrorBytes } from "../transport/http-client/body.ts";
import { maxSockets } from "../transport/http-client/carrier.ts";
import { maxIdleReconnects } from "../transport/http-client/listening.ts";
import { maxRedirects } from "../transport/http-client/redirect.ts";
import { connect, type Client } from "./index.ts";

type Take = (request: IncomingMessage, response: ServerResponse, message: Message) => void;
interface Message {
  readonly id?: number;
  readonly method?: string;
}

const events = { "content-type": "text/event-stream" };

for (const count of [maxRedirects - 1, maxRedirects, maxRedirects + 1])
  test(`${count} redirects are ${count > maxRedirects ? "too many" : "followed"}`, async () => {
    await using server = await open(({ url = "" }, response, message) => {
      const at = Number(/\d+$/.exec(url)?.[0] ?? 0);
      if (at < count) response.writeHead(307, { location: `/${at + 1}` }).end();
      else answer(response, message);
    });
    const connecting = connect({ url: server.url });
    if (count > maxRedirects) await assert.rejects(connecting, /over maxRedirects \(5\) redirects/);
    else await (await connecting).close();
  });

for (const count of [maxSockets - 1, maxSockets, maxSockets + 1])
  test(`${count} calls at once use ${Math.min(count, maxSockets)} connections, and all succeed`, async () => {
    const waiting: (() => void)[] = [];
    const sockets = new Set<unknown>();
    let served = 0;
    await using server = await open((request, response, message) => {
      if (message.method !== "tools/call") return answer(response, message);
      sockets.add(request.socket);
      waiting.push(() => answer(response, message));
      served++;
      if (served >= Math.min(count, maxSockets)) for (const go of waiting.splice(0)) go();
    });
    await using client = await connect({ url: server.url });
    await Promise.all(Array.from({ length: count }, () => client.callTool("x")));
    assert.equal(sockets.size, Math.min(count, maxSockets));
  });

for (const length of [maxErrorBytes - 1, maxErrorBytes, maxErrorBytes + 1])
  test(`an error page of ${length} bytes is ${length > maxErrorBytes ? "not read" : "read"}`, async () => {
    await using server = await open(
      (_, response) => void response.writeHead(500).end("x".repeat(length)),
    );
    const error = await connect({ url: server.url }).then(() => "", String);
    assert.equal(error.includes(": xxx"), length <= maxErrorBytes, error);
  });

test("a stream of the server's own that brings nothing is asked for maxIdleReconnects times more", async () => {
  let asked = 0;
  await using server = await open(({ method }, response, message) => {
    if (method !== "GET") return answer(response, message);
    asked++;
    response.writeHead(200, events).end("retry: 1\n\n");
  });
  await using client = await connect({ url: server.url }, { era: "handshake" });
  await told(client, "was given up after maxIdleReconnects (5)");
  assert.equal(asked, 1 + maxIdleReconnects);
});

test("a server that asks without end and takes no answers is not answered without end", async () => {
  let unanswered = 0;
  await using server = await open(({ method }, response, message) => {
    if (method === "GET") {
      response.writeHead(200, events);
      for (let id = 0; id < 1_000; id++)
        response.write(`data: {"jsonrpc":"2.0","id":${id},"method":"ping"}\n\n`);
      return;
    }
    if ("result" in message) unanswered++;
    else answer(response, message);
  });
  await using client = await connect({ url: server.url }, { era: "handshake" });
  for (let count = 0; client.report().unansweredRequests < 900 && count < 500; count++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(unanswered <= 64, `${unanswered} answers are under way`);
});

async function told(client: Client, words: string): Promise<void> {
  for (let count = 0; count < 500; count++) {
    if (client.report().faults.some(({ detail }) => detail.includes(words))) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(JSON.stringify(client.report().faults));
}

function answer(response: ServerResponse, { id, method }: Message): void {
  if (id === undefined) return void response.writeHead(202).end();
  const results: Readonly<Record<string, object>> = {
    "server/discover": { supportedVersions: ["2026-07-28"], capabilities: {} },
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      serverInfo: { name: "x", version: "1" },
    },
    "tools/call": { content: [] },
  };
  const result = {
    ...results[method ?? ""],
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
  };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

async function open(take: Take): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => take(request, response, body === "" ? {} : JSON.parse(body)));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/0`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
