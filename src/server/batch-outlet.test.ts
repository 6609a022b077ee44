import assert from "node:assert/strict";
import { test } from "node:test";
import { openPeer, openWire, versions, type Line } from "../../fixtures/wire-script.ts";
import { createServer, ToolResult, type Server } from "./index.ts";

function makeServer(): Server {
  return createServer({ name: "b", version: "1", report: () => {} })
    .addTool({
      name: "echo",
      input: { type: "object", properties: { text: { type: "string" } } },
      run: ({ text }) => text,
    })
    .addTool({
      name: "later",
      run: async (_args, context) => {
        context.progress(1);
        return "later";
      },
    })
    .addTool({
      name: "hold",
      run: (_args, { signal }) =>
        new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve(""))),
    })
    .addTool({ name: "unsayable", run: () => new ToolResult([], { _meta: { big: 1n } }) });
}

const call = (id: unknown, name: string, more: object = {}): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, ...more },
});
const cancel = (requestId: unknown): object => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});
const summary = (replies: readonly Line[]): unknown =>
  replies.map(({ id, result, error }) => [id, error?.code ?? result.content?.[0].text ?? result]);

test("a batch of 2025-03-26 is answered by one array, once all replies are there", async () => {
  const peer = await openPeer(makeServer(), "2025-03-26");
  peer.say([
    call(1, "later", { _meta: { progressToken: 7 } }),
    call("1", "echo", { arguments: { text: "e" } }),
    { jsonrpc: "2.0", method: "notifications/progress" },
    { jsonrpc: "2.0", id: 0, method: "ping" },
  ]);
  const [progress, replies, ...rest] = await peer.rest();
  assert.equal(progress.method, "notifications/progress");
  assert.deepEqual(
    summary(
      replies.toSorted((one: Line, other: Line) =>
        JSON.stringify(one.id) < JSON.stringify(other.id) ? -1 : 1,
      ),
    ),
    [
      ["1", "e"],
      [0, {}],
      [1, "later"],
    ],
  );
  assert.deepEqual(rest, []);
});

test("faulty members, duplicate ids and failing calls are answered inside of the array", async () => {
  const peer = await openPeer(makeServer(), "2025-03-26");
  peer.say([
    call(1, "hold"),
    call(1, "echo"),
    call(null, "echo"),
    5,
    null,
    [],
    { jsonrpc: "2.0", id: 2, method: "no/such" },
    call(3, "unsayable"),
    { jsonrpc: "2.0", id: 9, result: {} },
    { jsonrpc: "1.0", method: "ignored" },
    cancel(1),
  ]);
  const [replies, ...rest] = await peer.rest();
  assert.deepEqual(summary(replies), [
    [null, -32600],
    [null, -32600],
    [null, -32600],
    [null, -32600],
    [null, -32600],
    [2, -32601],
    [3, -32603],
  ]);
  assert.deepEqual(rest, []);
});

test("cancelling the last open call sends the array without it; cancelling all sends nothing", async () => {
  const peer = await openPeer(makeServer(), "2025-03-26");
  peer.say(
    [call(1, "hold"), call(2, "echo", { arguments: { text: "x" } })],
    [call(3, "hold"), call(4, "hold")],
  );
  assert.deepEqual(await peer.rest(), []);
  peer.say(cancel(3), cancel(1));
  assert.deepEqual((await peer.rest()).map(summary), [[[2, "x"]]]);
  peer.say(cancel(4));
  assert.deepEqual(await peer.rest(), []);
});

test("a batch of notifications alone, or of replies, is answered by nothing", async () => {
  const peer = await openPeer(makeServer(), "2025-03-26");
  peer.say(
    [cancel(1), { jsonrpc: "2.0", method: "tools/list" }],
    [{ jsonrpc: "2.0", id: 1, result: {} }],
  );
  assert.deepEqual(await peer.rest(), []);
});

test("a batch just before the end is answered", async () => {
  const peer = await openPeer(makeServer(), "2025-03-26");
  peer.say([call(1, "later"), call(2, "echo", { arguments: { text: "x" } })]);
  await peer.close();
  assert.deepEqual(
    (await peer.rest()).map((replies) => replies.length),
    [2],
  );
});

test("an empty array, and a batch in any other revision or before initialize, is an invalid request", async () => {
  const ping = [{ jsonrpc: "2.0", id: 1, method: "ping" }];
  for (const version of versions) {
    const peer = await openPeer(makeServer(), version);
    peer.say([], ...(version === "2025-03-26" ? [] : [ping]));
    for (const reply of await peer.rest()) {
      assert.equal(reply.error.code, -32600);
      assert.equal(reply.id, null);
    }
  }
  const fresh = openWire(makeServer());
  fresh.say(ping);
  assert.equal((await fresh.next()).error.code, -32600);
});
