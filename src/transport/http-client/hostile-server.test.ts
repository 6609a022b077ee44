// What a server that means harm can do to the client: its call fails, and nothing else does.

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { test } from "node:test";
import type { Arrival, JsonObject } from "../../protocol/index.ts";
import { HttpClientTransport } from "./http-client-transport.ts";

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
