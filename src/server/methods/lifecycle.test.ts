import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  handshakeVersions,
  initializeParams,
  metaOf,
  openPeer,
  openWire,
  versions,
} from "../../../fixtures/wire-script.ts";
import { createServer, type Server } from "../index.ts";

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
    ["2099-01-01", ["2026-07-28"]],
    ["", ["2026-07-28"]],
    ["2025-11-25", ["2026-07-28"]],
  ] as const) {
    test(`of version ${JSON.stringify(requested)} is refused with -32022 and what it can be retried with`, async () => {
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
