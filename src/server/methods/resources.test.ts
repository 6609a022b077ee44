import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPeer, versions } from "../../../fixtures/wire-script.ts";
import { createServer, type Server } from "../index.ts";

function makeServer(): Server {
  return createServer({ name: "r", version: "1", report: () => {} })
    .addResource({
      uri: "file:///notes",
      name: "notes",
      title: "Notes",
      mimeType: "text/plain",
      size: 2,
      icons: [{ src: "data:," }],
      read: () => "hi",
    })
    .addResource({
      uri: "file:///bytes",
      name: "bytes",
      read: async () => new Uint8Array([0, 255]),
    })
    .addResource({
      uri: "file:///several",
      name: "several",
      cache: { ttlMs: 60_000, cacheScope: "public" },
      read: (uri) => [
        { uri, text: "a" },
        { uri: `${uri}#b`, blob: "AA==" },
      ],
    })
    .addResource({
      uri: "file:///broken",
      name: "broken",
      read: () => {
        throw new Error("secret path");
      },
    })
    .addResourceTemplate({
      uriTemplate: "user:///{id}",
      name: "user",
      title: "User",
      mimeType: "application/json",
      read: (uri, variables) =>
        variables["id"] === "0" ? undefined : JSON.stringify({ uri, ...variables }),
    });
}

for (const version of versions) {
  const isStateless = version === "2026-07-28";
  describe(version, () => {
    test("resources/read gives a text, bytes or contents written out", async () => {
      const peer = await openPeer(makeServer(), version);
      const read = async (uri: string) => (await peer.request("resources/read", { uri })).result;
      assert.deepEqual((await read("file:///notes")).contents, [
        { uri: "file:///notes", mimeType: "text/plain", text: "hi" },
      ]);
      assert.deepEqual((await read("file:///bytes")).contents, [
        { uri: "file:///bytes", blob: "AP8=" },
      ]);
      const several = await read("file:///several");
      assert.equal(several.contents.length, 2);
      assert.equal(several.ttlMs, isStateless ? 60_000 : undefined);
      assert.equal(several.cacheScope, isStateless ? "public" : undefined);
    });

    test("a resource that does not exist has the revision's code", async () => {
      const peer = await openPeer(makeServer(), version);
      for (const uri of [
        "file:///nothing",
        "user:///0",
        "user:///%",
        "user:///a/b",
        "",
        "__proto__",
      ]) {
        const { error } = await peer.request("resources/read", { uri });
        assert.deepEqual(error, {
          code: isStateless ? -32602 : -32002,
          message: "Resource not found",
          data: { uri },
        });
      }
    });

    test("a template reads what its variables say", async () => {
      const peer = await openPeer(makeServer(), version);
      const { result } = await peer.request("resources/read", { uri: "user:///a%20b" });
      assert.deepEqual(result.contents, [
        {
          uri: "user:///a%20b",
          mimeType: "application/json",
          text: '{"uri":"user:///a%20b","id":"a b"}',
        },
      ]);
    });

    test("a resource that throws is an internal error without its text", async () => {
      const peer = await openPeer(makeServer(), version);
      const { error } = await peer.request("resources/read", { uri: "file:///broken" });
      assert.deepEqual(error, { code: -32603, message: "Internal error" });
    });

    test("lists show what the revision knows", async () => {
      const peer = await openPeer(makeServer(), version);
      const [resource] = (await peer.request("resources/list")).result.resources;
      const [template] = (await peer.request("resources/templates/list")).result.resourceTemplates;
      assert.equal("title" in resource, version >= "2025-06-18");
      assert.equal("icons" in resource, version >= "2025-11-25");
      assert.equal("title" in template, version >= "2025-06-18");
      assert.equal("read" in resource || "cache" in resource || "parsed" in template, false);
    });
  });
}

test("resources/read without a URI is refused with -32602", async () => {
  const peer = await openPeer(makeServer(), "2025-11-25");
  for (const uri of [undefined, null, 5, ["file:///notes"]])
    assert.equal((await peer.request("resources/read", { uri })).error.code, -32602);
});

test("without resources there is no such capability and no such method", async () => {
  const bare = createServer({ name: "r", version: "1" });
  const peer = await openPeer(bare, "2026-07-28");
  assert.deepEqual((await peer.request("server/discover")).result.capabilities, {
    tools: { listChanged: true },
  });
  assert.equal((await peer.request("resources/list")).error.code, -32601);
});

test("when the last resource goes the list is empty, and still there for whoever was told of it", async () => {
  const server = createServer({ name: "r", version: "1" }).addResource({
    uri: "a:",
    name: "a",
    read: () => "",
  });
  const peer = await openPeer(server, "2025-11-25");
  server.removeResource("a:");
  assert.equal((await peer.next()).method, "notifications/resources/list_changed");
  assert.deepEqual((await peer.request("resources/list")).result, { resources: [] });
});
