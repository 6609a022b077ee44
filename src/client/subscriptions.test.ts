// How changes are watched in either era.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change } from "../protocol/index.ts";
import { connectHandshake, connectStateless, type Peer, type Sent } from "./wire-peer.test.ts";

function acknowledge({ id, params }: Sent, peer: Peer): void {
  const filter = JSON.stringify(params?.["notifications"]);
  peer.write(
    `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":${id}},"notifications":${filter}}}\n`,
  );
}

function tell(peer: Peer, id: number, method: string, params = ""): void {
  peer.write(
    `{"jsonrpc":"2.0","method":"${method}","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":${id}}${params}}}\n`,
  );
}

test("a stateless server is listened to, and told when no one listens any more", async () => {
  const changes: Change[] = [];
  const [client, peer] = await connectStateless((message, wire) => {
    if (message.method !== "subscriptions/listen") return;
    acknowledge(message, wire);
    tell(wire, 2, "notifications/resources/updated", ',"uri":"file:///a"');
    tell(wire, 2, "notifications/tools/list_changed");
    tell(wire, 99, "notifications/tools/list_changed");
    tell(wire, 2, "notifications/prompts/list_changed");
  });
  const { promise: both, resolve } = Promise.withResolvers<void>();
  const subscription = await client.subscribe(
    { toolsListChanged: true, resourceSubscriptions: ["file:///a"] },
    (change) => {
      changes.push(change);
      if (changes.length === 2) resolve();
    },
  );
  await both;
  assert.ok(
    (peer.lines[1] ?? "").includes(
      '"params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["file:///a"]},"_meta":',
    ),
  );
  assert.deepEqual(subscription.honoured, {
    toolsListChanged: true,
    promptsListChanged: false,
    resourcesListChanged: false,
    resourceSubscriptions: ["file:///a"],
  });
  await subscription[Symbol.asyncDispose]();
  assert.deepEqual(await subscription.ended, { kind: "disposed" });
  await peer.seen('"method":"notifications/cancelled","params":{"requestId":2');
  await client.close();
  assert.deepEqual(changes, [{ kind: "resource", uri: "file:///a" }, { kind: "tools" }]);
});

test("a stateless server may end the subscription by its result", async () => {
  const [client, peer] = await connectStateless(acknowledge);
  const subscription = await client.subscribe({ toolsListChanged: true }, () => {});
  peer.write(
    '{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}\n',
  );
  assert.deepEqual(await subscription.ended, { kind: "ended by the server" });
  await client.close();
});

test("a subscription that is not acknowledged fails, and one that loses the server says so", async () => {
  const [mute] = await connectStateless(() => {});
  await assert.rejects(
    mute.subscribe({ toolsListChanged: true }, () => {}, { timeoutMs: 30 }),
    { code: "timeout" },
  );
  await mute.close();
  const [client, peer] = await connectStateless(acknowledge);
  const subscription = await client.subscribe({ toolsListChanged: true }, () => {});
  peer.end();
  assert.equal((await subscription.ended).kind, "lost");
  await client.close();
});

test("a subscription takes the time of the connection where it says none", async () => {
  const [client] = await connectStateless(() => {}, { timeoutMs: 30 });
  await assert.rejects(
    client.subscribe({ toolsListChanged: true }, () => {}),
    { code: "timeout", message: /^Cannot subscribe: no acknowledgment within 30 ms, expected / },
  );
  await client.close();
});

test("the caller's signal cancels a subscription that is not acknowledged", async () => {
  const controller = new AbortController();
  const [client, peer] = await connectStateless((message) => {
    if (message.method === "subscriptions/listen") controller.abort();
  });
  const { signal } = controller;
  await assert.rejects(
    client.subscribe({ toolsListChanged: true }, () => {}, { signal }),
    { code: "cancelled" },
  );
  await peer.seen('"method":"notifications/cancelled","params":{"requestId":2');
  await assert.rejects(
    client.subscribe({ toolsListChanged: true }, () => {}, { signal }),
    { code: "cancelled" },
  );
  await client.close();
});

test("the caller's signal ends a subscription to a stateless server", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const [client, peer] = await connectStateless(acknowledge);
  const subscription = await client.subscribe({ toolsListChanged: true }, () => {}, { signal });
  controller.abort();
  assert.deepEqual(await subscription.ended, { kind: "disposed" });
  await peer.seen('"method":"notifications/cancelled","params":{"requestId":2');
  await client.close();
});

test("the caller's signal ends a subscription to a handshake server", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const [client, peer] = await connectHandshake((message, wire) => {
    if (message.id !== undefined) wire.write(`{"jsonrpc":"2.0","id":${message.id},"result":{}}\n`);
  });
  const filter = { resourceSubscriptions: ["file:///a"] };
  const subscription = await client.subscribe(filter, () => {}, { signal });
  controller.abort();
  assert.deepEqual(await subscription.ended, { kind: "disposed" });
  await peer.seen('"method":"resources/unsubscribe","params":{"uri":"file:///a"}');
  await assert.rejects(
    client.subscribe({ toolsListChanged: true }, () => {}, { signal }),
    { code: "cancelled" },
  );
  await client.close();
});

test("a handshake server is asked for each resource once, and its list changes come by themselves", async () => {
  const changes: Change[] = [];
  const [client, peer] = await connectHandshake((message, wire) => {
    if (message.id !== undefined) wire.write(`{"jsonrpc":"2.0","id":${message.id},"result":{}}\n`);
  });
  const first = await client.subscribe(
    { toolsListChanged: true, resourceSubscriptions: ["file:///a"] },
    (change) => changes.push(change),
  );
  const second = await client.subscribe({ resourceSubscriptions: ["file:///a"] }, () => {});
  peer.write(
    '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a/b"}}\n{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n',
  );
  await client.ping();
  await first[Symbol.asyncDispose]();
  assert.ok(
    !peer.lines.some((line) => line.includes("resources/unsubscribe")),
    "the second still watches it",
  );
  await second[Symbol.asyncDispose]();
  await peer.seen('"method":"resources/unsubscribe","params":{"uri":"file:///a"}');
  await client.close();
  assert.deepEqual(changes, [{ kind: "resource", uri: "file:///a/b" }, { kind: "tools" }]);
});

test("closing the client ends the subscriptions of a handshake server", async () => {
  const [client] = await connectHandshake(() => {});
  const subscription = await client.subscribe({ toolsListChanged: true }, () => {});
  await client.close();
  assert.equal((await subscription.ended).kind, "lost");
  await assert.rejects(
    client.subscribe({ toolsListChanged: true }, () => {}),
    { code: "closed" },
  );
});
