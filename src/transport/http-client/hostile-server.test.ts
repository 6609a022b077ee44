// What a server that means harm can do to the client: its call fails, and nothing else does.

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { test } from "node:test";
import type { Arrival, JsonObject } from "../../protocol/index.ts";
import { askTimeoutMs, HttpClientTransport } from "./http-client-transport.ts";

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => void;

interface Scene extends AsyncDisposable {
  readonly transport: HttpClientTransport;
  readonly arrivals: readonly Arrival[];
  /** Resolves with the first arrival that fits. */
  readonly waitFor: (fits: (arrival: Arrival) => boolean) => Promise<Arrival>;
  readonly call: (id: number, method: string, params?: JsonObject) => void;
}

async function stage(handle: Handle, headers: Record<string, string> = {}): Promise<Scene> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => handle(request, response, Buffer.concat(pieces).toString()));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const url = new URL(`http://127.0.0.1:${address.port}/mcp`);
  const transport = await HttpClientTransport.open({ url, headers });
  const arrivals: Arrival[] = [];
  let look: () => void = () => {};
  void (async () => {
    for await (const batch of transport.incoming) {
      arrivals.push(...batch);
      look();
    }
  })();
  return {
    transport,
    arrivals,
    waitFor: (fits) =>
      new Promise((resolve) => {
        look = () => {
          const found = arrivals.find(fits);
          if (found !== undefined) resolve(found);
        };
        look();
      }),
    call: (id, method, params = {}) => transport.send({ kind: "request", id, method, params }),
    [Symbol.asyncDispose]: async () => {
      await transport.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

const json = { "content-type": "application/json" };
const pong = JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} });
const opening = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  result: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    serverInfo: { name: "a", version: "1" },
  },
});
const sse = { "content-type": "text/event-stream" };

const isFault = (words: string) => (arrival: Arrival) =>
  arrival.kind === "fault" && arrival.detail.includes(words);

for (const [name, id] of [
  ["of another script", "漢"],
  ["with a control character", "\u0001"],
  ["that is too long", "x".repeat(1_025)],
] as const)
  test(`an event id ${name} is reported and not resumed from`, async () => {
    const seen: string[] = [];
    await using scene = await stage((request, response) => {
      seen.push(request.method ?? "");
      response.writeHead(200, sse).end(`id: ${id}\nretry: 1\ndata:\n\n`);
    });
    scene.call(1, "ping");
    await scene.waitFor(isFault("ended without the reply"));
    assert.ok(scene.arrivals.some(isFault("an id that no header can carry")));
    assert.deepEqual(seen, ["POST"]);
  });

test("a header that cannot be sent fails its call", async () => {
  await using scene = await stage((_, response) => void response.end(), {
    "x-key": "漢字漢字漢字",
  });
  scene.call(1, "ping");
  const fault = await scene.waitFor(({ kind }) => kind === "fault");
  assert.ok(fault.kind === "fault" && fault.id === 1);
});

test("a secret that raw JSON writes otherwise is not in a fault's excerpt", async () => {
  const secret = 'pa"ss\\word-123';
  await using scene = await stage(
    ({ headers }, response) =>
      void response.writeHead(200, json).end(JSON.stringify({ oops: headers["x-key"] })),
    { "x-key": secret },
  );
  scene.call(1, "ping");
  await scene.waitFor(({ kind }) => kind === "fault");
  const shown = scene.arrivals.map((arrival) => (arrival.kind === "fault" ? arrival.excerpt : ""));
  assert.deepEqual(shown, ['{"oops":"[redacted]"}']);
});

test("data nested 15 000 deep ends its call, and no more", async () => {
  const data = "[".repeat(15_000) + "]".repeat(15_000);
  await using scene = await stage((_, response) => {
    const error = `{"code":-32000,"message":"x","data":${data}}`;
    response.writeHead(400, json).end(`{"jsonrpc":"2.0","id":1,"error":${error}}`);
  });
  scene.call(1, "ping");
  const arrival = await scene.waitFor(({ kind }) => kind === "error");
  assert.match(JSON.stringify(arrival), /too deep/);
});

test("a redirect whose body never ends holds no connection", async () => {
  const closed = Promise.withResolvers<void>();
  await using scene = await stage(({ url }, response) => {
    if (url === "/there") return void response.writeHead(200, json).end(pong);
    response.on("close", closed.resolve);
    response.writeHead(307, { location: "/there" }).write("x");
  });
  scene.call(1, "ping");
  await scene.waitFor(({ kind }) => kind === "result");
  await closed.promise;
  assert.equal(scene.arrivals.length, 1);
});

for (const [name, headers] of [
  ["with an upgrade", "Upgrade: a\r\nConnection: Upgrade\r\n"],
  ["without one", ""],
] as const)
  test(`101 Switching Protocols ${name} fails its call and closes the connection`, async () => {
    const closed = Promise.withResolvers<void>();
    await using scene = await stage(({ socket }) => {
      socket.on("close", () => closed.resolve());
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`);
    });
    scene.call(1, "ping");
    await scene.waitFor(isFault("101 and another protocol, expected a response"));
    await closed.promise;
    assert.equal(scene.arrivals.length, 1);
  });

test("what a server says before its response is passed over", async () => {
  await using scene = await stage((_, response) => {
    response.writeContinue();
    response.writeEarlyHints({ link: "</a>; rel=preload" });
    response.writeHead(200, json).end(pong);
  });
  scene.call(1, "ping");
  await scene.waitFor(({ kind }) => kind === "result");
  assert.equal(scene.arrivals.length, 1);
});

test("a session that is gone, and whose successor is never opened, fails its calls after askTimeoutMs", async (t) => {
  const opens = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const closed = Promise.withResolvers<void>();
  let count = 0;
  await using scene = await stage((request, response, body) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    if (!body.includes('"initialize"')) return void response.writeHead(404).end();
    opens[count]?.resolve();
    if (++count === 1)
      return void response.writeHead(200, { ...json, "mcp-session-id": "s1" }).end(opening);
    request.socket.on("close", () => closed.resolve());
  });
  scene.call(1, "initialize", { protocolVersion: "2025-11-25" });
  await scene.waitFor(({ kind }) => kind === "result");
  t.mock.timers.enable({ apis: ["setTimeout"] });
  scene.call(2, "ping");
  await opens[1]?.promise;
  scene.call(3, "ping"); // held until it is known what becomes of the session
  t.mock.timers.tick(askTimeoutMs - 1);
  assert.equal(scene.arrivals.length, 1);
  t.mock.timers.tick(1);
  const fault = await scene.waitFor(isFault("initialize had no reply within 10000 ms"));
  assert.ok(fault.kind === "fault" && fault.id === 2 && fault.name === "http-session");
  await closed.promise;
  await opens[2]?.promise;
  t.mock.timers.tick(askTimeoutMs);
  await scene.waitFor((arrival) => arrival.kind === "fault" && arrival.id === 3);
});
