import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { metaOf, openPeer, openWire, versions } from "../../fixtures/wire-script.ts";
import { createServer, type Server } from "./index.ts";

function makeServer(): Server {
  return createServer({ name: "door", version: "1.2.3", report: () => {} })
    .addTool({
      name: "echo",
      input: { type: "object", properties: { text: { type: "string" } } },
      run: ({ text = "" }) => text,
    })
    .addTool({
      name: "wait",
      run: (_args, { signal }) =>
        new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve(""))),
    });
}

describe("ids", () => {
  for (const id of [
    0,
    "",
    "1",
    1,
    -1,
    2 ** 53 - 1,
    -(2 ** 53 - 1),
    "null",
    "é\u2028\ud83d\ude00",
  ]) {
    test(`${JSON.stringify(id)} comes back as it is`, async () => {
      for (const version of versions) {
        const peer = await openPeer(makeServer(), version);
        assert.equal((await peer.request("tools/call", { name: "echo" }, id)).id, id);
      }
    });
  }

  // JSON text of the id → the id of the refusal.
  for (const [text, echoed] of [
    ["null", null],
    ["true", null],
    ["[1]", null],
    ['{"a":1}', null],
    ["1.5", 1.5],
    ["9007199254740993", null],
    ["1e400", null],
  ] as const) {
    test(`${text} is refused with -32600 and never taken for a notification`, async () => {
      const peer = await openPeer(makeServer(), "2025-06-18");
      peer.say(`{"jsonrpc":"2.0","id":${text},"method":"tools/list"}`);
      const { id, error } = await peer.next();
      assert.equal(id, echoed);
      assert.equal(error.code, -32600);
    });
  }

  test('1 and "1" in flight are two calls', async () => {
    const peer = await openPeer(makeServer(), "2025-11-25");
    peer.start("tools/call", { name: "wait" }, 1);
    assert.equal((await peer.request("tools/call", { name: "echo" }, "1")).id, "1");
  });

  for (const version of versions) {
    test(`an id in flight is refused without crossing replies (${version})`, async () => {
      const server = createServer({ name: "x", version: "1" });
      const release: ((text: string) => void)[] = [];
      server.addTool({
        name: "hold",
        run: () => new Promise<string>((resolve) => release.push(resolve)),
      });
      const peer = await openPeer(server, version);
      peer.start("tools/call", { name: "hold" }, 7);
      await peer.rest();
      peer.start("tools/call", { name: "hold" }, 7);
      const refusal = await peer.next();
      assert.equal(refusal.error.code, -32600);
      assert.equal(refusal.id, version === "2026-07-28" ? undefined : null);
      assert.equal(release.length, 1);
      release[0]?.("first");
      const reply = await peer.next();
      assert.equal(reply.id, 7);
      assert.equal(reply.result.content[0].text, "first");
      assert.deepEqual(await peer.rest(), []);
    });
  }
});

describe("what is no request", () => {
  test("a notification is never answered, whatever it is", async () => {
    const peer = await openPeer(makeServer(), "2025-11-25");
    peer.say(
      '{"jsonrpc":"2.0","method":"tools/list"}',
      '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"nobody"}}',
      '{"jsonrpc":"2.0","method":"no/such/thing"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unknown"}}',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":[]}',
      '{"jsonrpc":"1.0","method":"tools/list"}',
    );
    assert.deepEqual(await peer.rest(), []);
  });

  test("a reply that nobody waits for is passed over, also a faulty one", async () => {
    const peer = await openPeer(makeServer(), "2025-11-25");
    peer.say(
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}',
      '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}',
      '{"jsonrpc":"2.0","id":1,"result":7}',
    );
    assert.deepEqual(await peer.rest(), []);
  });

  for (const version of versions) {
    test(`a line that is not JSON gets -32700 with id null, and the session lives (${version})`, async () => {
      const peer = await openPeer(makeServer(), version);
      peer.say('{"jsonrpc":"2.0","id":3,"method":');
      const { id, error } = await peer.next();
      assert.equal(id, null);
      assert.equal(error.code, -32700);
      assert.equal((await peer.request("tools/call", { name: "echo" })).result.content[0].text, "");
    });
  }

  test("an error id that cannot be read is null, and left out for a stateless request", async () => {
    const wire = openWire(makeServer());
    wire.say({ jsonrpc: "2.0", id: null, method: "tools/list", params: { _meta: metaOf() } });
    const reply = await wire.next();
    assert.equal(reply.error.code, -32600);
    assert.ok(!("id" in reply));
  });

  for (const line of [
    "[]",
    "null",
    "3",
    '"x"',
    "{}",
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":1,"method":5}',
    '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
  ]) {
    test(`${line} gets -32600`, async () => {
      const peer = await openPeer(makeServer(), "2025-06-18");
      peer.say(line);
      assert.equal((await peer.next()).error.code, -32600);
      assert.deepEqual(await peer.rest(), []);
    });
  }

  test("a blank line and a carriage return are tolerated in silence", async () => {
    const peer = await openPeer(makeServer(), "2025-06-18");
    peer.say("", "  \t", '{"jsonrpc":"2.0","id":9,"method":"ping"}\r');
    assert.deepEqual(await peer.rest(), [{ jsonrpc: "2.0", id: 9, result: {} }]);
  });
});
