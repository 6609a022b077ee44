import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  handshakeVersions,
  initializeParams,
  metaOf,
  openPeer,
  openWire,
  versions,
} from "../../fixtures/wire-script.ts";
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

const initialize = (id: unknown, version: string): object => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: initializeParams(version),
});

describe("opening", () => {
  test("initialize is answered byte for byte", async () => {
    const wire = openWire(makeServer());
    wire.say(initialize(0, "2025-11-25"));
    await wire.next();
    assert.deepEqual(wire.lines, [
      '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"door","version":"1.2.3"}}}',
    ]);
  });

  for (const version of handshakeVersions) {
    test(`initialize agrees on ${version}`, async () => {
      const { result } = await openWire(makeServer()).request(
        "initialize",
        initializeParams(version),
      );
      assert.equal(result.protocolVersion, version);
    });
  }

  for (const version of ["2026-07-28", "2099-01-01", "", "2024-10-07"]) {
    test(`initialize answers ${JSON.stringify(version)} with its own latest`, async () => {
      const { result } = await openWire(makeServer()).request(
        "initialize",
        initializeParams(version),
      );
      assert.equal(result.protocolVersion, "2025-11-25");
    });
  }

  for (const [what, params] of Object.entries({
    "no parameters": undefined,
    "a numeric version": { ...initializeParams(""), protocolVersion: 20250618 },
    "no capabilities": { ...initializeParams("2025-06-18"), capabilities: undefined },
    "no clientInfo": { ...initializeParams("2025-06-18"), clientInfo: undefined },
    "a clientInfo without a version": {
      ...initializeParams("2025-06-18"),
      clientInfo: { name: "x" },
    },
  })) {
    test(`initialize with ${what} is refused with -32602, and a good one still works`, async () => {
      const wire = openWire(makeServer());
      const { error } = await wire.request("initialize", params);
      assert.equal(error.code, -32602);
      const { result } = await wire.request("initialize", initializeParams("2025-06-18"));
      assert.equal(result.protocolVersion, "2025-06-18");
    });
  }

  test("ping is answered before initialize", async () => {
    const wire = openWire(makeServer());
    wire.say('{"jsonrpc":"2.0","id":"","method":"ping"}');
    await wire.next();
    assert.deepEqual(wire.lines, ['{"jsonrpc":"2.0","id":"","result":{}}']);
  });

  test("server/discover is answered byte for byte", async () => {
    const wire = openWire(makeServer());
    wire.say({
      jsonrpc: "2.0",
      id: "probe",
      method: "server/discover",
      params: { _meta: metaOf() },
    });
    await wire.next();
    assert.deepEqual(wire.lines, [
      '{"jsonrpc":"2.0","id":"probe","result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"door","version":"1.2.3"}}}}',
    ]);
  });

  test("initialize works after a probe, and both eras live on one pipe from then on", async () => {
    const wire = openWire(makeServer());
    const discover = (id: string) => ({
      jsonrpc: "2.0",
      id,
      method: "server/discover",
      params: { _meta: metaOf() },
    });
    const list = { jsonrpc: "2.0", id: "old", method: "tools/list" };
    wire.say(discover("probe"));
    assert.equal((await wire.next()).result.resultType, "complete");
    wire.say(initialize("late", "2025-03-26"));
    assert.equal((await wire.next()).result.protocolVersion, "2025-03-26");
    wire.say(discover("again"));
    assert.equal((await wire.next()).result.resultType, "complete");
    wire.say(list);
    assert.equal((await wire.next()).result.resultType, undefined);
    wire.say({ ...list, id: "new", params: { _meta: metaOf() } });
    assert.equal((await wire.next()).result.resultType, "complete");
  });

  test("a request of no era is refused with -32602 and the versions", async () => {
    const { error } = await openWire(makeServer()).request("tools/list");
    assert.equal(error.code, -32602);
    assert.deepEqual(error.data, { supported: versions.toReversed() });
  });

  test("an unknown method of no era is refused with -32601", async () => {
    const { error } = await openWire(makeServer()).request("tools/lists");
    assert.equal(error.code, -32601);
  });

  test("instructions, title and the rest of who the server is are told as far as a revision knows them", async () => {
    const server = createServer({
      name: "n",
      version: "1",
      title: "T",
      description: "D",
      websiteUrl: "https://example.com",
      instructions: "Use it",
    });
    const members: Record<string, string[]> = {};
    for (const version of handshakeVersions) {
      const { result } = await openWire(server).request("initialize", initializeParams(version));
      assert.equal(result.instructions, "Use it");
      members[version] = Object.keys(result.serverInfo).toSorted();
    }
    assert.deepEqual(members, {
      "2024-11-05": ["name", "version"],
      "2025-03-26": ["name", "version"],
      "2025-06-18": ["name", "title", "version"],
      "2025-11-25": ["description", "name", "title", "version", "websiteUrl"],
    });
  });
});

describe("a stateless request", () => {
  const ask = (meta: unknown, id = 1) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/list",
    params: { _meta: meta },
  });

  for (const [requested, supported] of [
    ["2099-01-01", versions.toReversed()],
    ["", versions.toReversed()],
    ["2025-11-25", ["2026-07-28"]],
  ] as const) {
    test(`of version ${JSON.stringify(requested)} is refused with -32022 and the list`, async () => {
      const wire = openWire(makeServer());
      wire.say(ask({ ...metaOf(), "io.modelcontextprotocol/protocolVersion": requested }));
      const { error } = await wire.next();
      assert.equal(error.code, -32022);
      assert.deepEqual(error.data, { supported, requested });
    });
  }

  for (const [what, more] of Object.entries({
    "a version that is a number": { "io.modelcontextprotocol/protocolVersion": 2026 },
    "a version that is null": { "io.modelcontextprotocol/protocolVersion": null },
    "no capabilities": { "io.modelcontextprotocol/clientCapabilities": undefined },
    "capabilities that are an array": { "io.modelcontextprotocol/clientCapabilities": [] },
    "a nameless client": { "io.modelcontextprotocol/clientInfo": { version: "1" } },
    "an unknown log level": { "io.modelcontextprotocol/logLevel": "loud" },
  })) {
    test(`with ${what} is refused with -32602`, async () => {
      const wire = openWire(makeServer());
      wire.say(ask({ ...metaOf(), ...more }));
      assert.equal((await wire.next()).error.code, -32602);
    });
  }

  for (const method of [
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
  ]) {
    test(`cannot be ${method}, which its revision does not have`, async () => {
      const { error } = await openWire(makeServer(), "2026-07-28").request(
        method,
        initializeParams("2025-06-18"),
      );
      assert.equal(error.code, -32601);
    });
  }

  for (const method of ["server/discover", "subscriptions/listen", "toString", "__proto__", ""]) {
    test(`${JSON.stringify(method)} is no method of the handshake era`, async () => {
      const peer = await openPeer(makeServer(), "2025-11-25");
      assert.deepEqual((await peer.request(method)).error, {
        code: -32601,
        message: "Method not found",
        data: { method },
      });
    });
  }
});

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
