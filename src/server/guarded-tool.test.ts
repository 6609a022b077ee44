import assert from "node:assert/strict";
import { test } from "node:test";
import { openPeer, versions } from "../../fixtures/wire-script.ts";
import { createServer, ToolResult, type GuardedTool } from "./index.ts";

const guarded: GuardedTool = {
  tool: {
    name: "guarded",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    outputSchema: { type: "object", properties: { a: { type: "number" } } },
  },
  prepare: async () => {},
  run: (args) => {
    const content = [{ type: "text", text: JSON.stringify(args) }] as const;
    return new ToolResult(content, { structuredContent: args, isError: true });
  },
};

test("a guarded tool answers for arguments and a value that its published schemas refuse", async () => {
  const server = createServer({ name: "t", version: "1" }).addGuardedTool(guarded);
  for (const version of versions) {
    const peer = await openPeer(server, version);
    const { result } = await peer.request("tools/call", { name: "guarded", arguments: { a: "x" } });
    assert.deepEqual(result.content, [{ type: "text", text: '{"a":"x"}' }]);
    assert.equal(result.isError, true);
  }
});

test("a guarded tool is listed with its schemas, and its name is taken", async () => {
  const server = createServer({ name: "t", version: "1" }).addGuardedTool(guarded);
  const peer = await openPeer(server, "2026-07-28");
  const { result } = await peer.request("tools/list");
  assert.deepEqual(result.tools, [guarded.tool]);
  assert.throws(() => server.addTool({ name: "guarded", run: () => 1 }), { code: "name-taken" });
});
