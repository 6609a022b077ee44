import assert from "node:assert/strict";
import { test } from "node:test";
import { openPeer } from "../../fixtures/wire-script.ts";
import { createServer } from "./index.ts";
import { defaultLimits, resolveLimits } from "./limits.ts";

const names = Object.keys(defaultLimits);
const set = (limits: object) => () => createServer({ name: "s", version: "1", limits });

for (const name of names) {
  test(`${name} is a whole number of at least 1, or Infinity`, () => {
    for (const value of [1, 2, 2 ** 53 - 1, Infinity])
      assert.deepEqual(resolveLimits({ [name]: value }), { ...defaultLimits, [name]: value });
    for (const value of [0, -1, 0.5, NaN, -Infinity, 2 ** 53, null, "5", 5n, {}]) {
      assert.throws(set({ [name]: value }), (error: Error & { code?: string }) => {
        assert.equal(error.name, "UsageError");
        assert.equal(error.code, "invalid-limit");
        assert.match(error.message, new RegExp(`"${name}": it is .+, expected a whole number`));
        return true;
      });
    }
  });

  test(`${name} has its default where it is undefined`, () => {
    assert.deepEqual(resolveLimits({ [name]: undefined }), defaultLimits);
  });
}

test("a limit that does not exist is refused, with the names of those that do", () => {
  for (const name of ["maxInflight", "__proto__", "toString"])
    assert.throws(set(JSON.parse(`{"${name}":1}`)), {
      name: "UsageError",
      hint: `one of: ${names.join(", ")}`,
    });
});

test("a server without limits answers, asks and waits for what runs", async () => {
  const limits = Object.fromEntries(names.map((name) => [name, Infinity]));
  const server = createServer({ name: "s", version: "1", limits }).addTool({
    name: "ask",
    run: async (_args, { listRoots }) => {
      const { roots } = await listRoots();
      await new Promise((resolve) => setTimeout(resolve, 5));
      return `${roots.length}`;
    },
  });
  for (const version of ["2025-11-25", "2026-07-28"] as const) {
    const peer = await openPeer(server, version, { roots: {} });
    assert.equal((await peer.request("tools/list")).result.tools.length, 1);
    const id = peer.start("tools/call", { name: "ask" });
    const asked = await peer.next();
    if (version === "2026-07-28") {
      const { requestState, inputRequests } = asked.result;
      const inputResponses = { [Object.keys(inputRequests)[0] ?? ""]: { roots: [] } };
      peer.start("tools/call", { name: "ask", requestState, inputResponses }, id);
    } else {
      peer.say({ jsonrpc: "2.0", id: asked.id, result: { roots: [] } });
    }
    await peer.rest();
    await peer.close();
    assert.match(peer.lines.at(-1) ?? "", /"text":"0"/);
  }
});
