import assert from "node:assert/strict";
import { test } from "node:test";
import { openPeer, versions } from "../../fixtures/wire-script.ts";
import { createServer, type Server } from "./index.ts";

function makeServer(tools: number): Server {
  const server = createServer({ name: "p", version: "1", limits: { pageSize: 3 } });
  for (let index = 0; index < tools; index++) server.addTool({ name: `t${index}`, run: () => "" });
  return server;
}

for (const [count, pages] of [
  [0, [0]],
  [2, [2]],
  [3, [3]],
  [4, [3, 1]],
  [7, [3, 3, 1]],
] as const) {
  test(`${count} tools in pages of 3 come as ${pages.join(" + ")}, each once and in order`, async () => {
    for (const version of versions) {
      const peer = await openPeer(makeServer(count), version);
      const sizes: number[] = [];
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const { result } = await peer.request("tools/list", cursor === undefined ? {} : { cursor });
        sizes.push(result.tools.length);
        names.push(...result.tools.map(({ name }: { name: string }) => name));
        assert.equal("nextCursor" in result, sizes.length < pages.length);
        cursor = result.nextCursor;
      } while (cursor !== undefined);
      assert.deepEqual(sizes, pages);
      assert.deepEqual(
        names,
        Array.from({ length: count }, (_, index) => `t${index}`),
      );
    }
  });
}

test("a cursor that this list did not give out is refused with -32602 in every revision", async () => {
  for (const version of versions) {
    const peer = await openPeer(makeServer(4), version);
    const beyond = [
      "from:4",
      "from:999999999",
      "from:9999999999",
      "from:-1",
      "from:1.5",
      "from:",
      "3",
    ].map(btoa);
    for (const cursor of ["", "garbage", "=", "\u0000", "é", null, 3, [], {}, ...beyond]) {
      const { error } = await peer.request("tools/list", { cursor });
      assert.equal(error?.code, -32602, JSON.stringify(cursor));
    }
  }
});

test("resources, templates and prompts are cut the same way", async () => {
  const server = createServer({ name: "p", version: "1", limits: { pageSize: 1 } });
  for (const name of ["a", "b"])
    server
      .addResource({ uri: `${name}:`, name, read: () => "" })
      .addResourceTemplate({ uriTemplate: `${name}:{x}`, name, read: () => "" })
      .addPrompt({ name, get: () => "" });
  const peer = await openPeer(server, "2025-06-18");
  for (const [method, member] of [
    ["resources/list", "resources"],
    ["resources/templates/list", "resourceTemplates"],
    ["prompts/list", "prompts"],
  ] as const) {
    const first = (await peer.request(method)).result;
    const second = (await peer.request(method, { cursor: first.nextCursor })).result;
    assert.deepEqual(
      [first[member][0].name, second[member][0].name, second.nextCursor],
      ["a", "b", undefined],
    );
  }
});
