import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  completion,
  converse,
  everything,
  makeAsker,
  prompt,
  question,
} from "../../fixtures/asking.ts";
import { openPeer } from "../../fixtures/wire-script.ts";
import { AskError, ToolError, type Context } from "./index.ts";

describe("a client that answers badly", () => {
  test("an error becomes an AskError, which a tool may catch, or leave to the model", async () => {
    const caught = makeAsker((context) =>
      context
        .sample(prompt)
        .catch((thrown: unknown) => thrown instanceof AskError && thrown instanceof ToolError),
    );
    const left = makeAsker((context) => context.sample(prompt));
    const refuse = () => ({ error: { code: -1, message: "User said no" } });
    const one = await converse(await openPeer(caught, "2025-11-25", everything), refuse);
    assert.equal(one.reply.result.content[0].text, "true");
    const two = await converse(await openPeer(left, "2025-11-25", everything), refuse);
    assert.equal(two.reply.result.isError, true);
    assert.match(two.reply.result.content[0].text, /error -1: User said no/);
  });

  for (const version of ["2025-11-25", "2026-07-28"] as const) {
    for (const [what, ask, answer] of [
      ["an unknown action", (context) => context.elicit(question), { action: "maybe" }],
      [
        "nested content",
        (context) => context.elicit(question),
        { action: "accept", content: { a: {} } },
      ],
      [
        "no model",
        (context) => context.sample(prompt),
        { role: "assistant", content: { type: "text", text: "" } },
      ],
      ["no roots", (context) => context.listRoots(), {}],
      ["a root without a URI", (context) => context.listRoots(), { roots: [{}] }],
    ] as const satisfies readonly (readonly [string, (context: Context) => unknown, object])[]) {
      test(`${what} is refused with -32602 (${version})`, async () => {
        const { reply } = await converse(
          await openPeer(makeAsker(ask), version, everything),
          () => answer,
        );
        assert.equal(reply.error.code, -32602);
      });
    }
  }

  for (const [what, answer] of [
    ["a result that is null", (id) => ({ jsonrpc: "2.0", id, result: null })],
    ["a result that is a list", (id) => ({ jsonrpc: "2.0", id, result: [] })],
    ["a result and an error", (id) => ({ jsonrpc: "2.0", id, result: {}, error: {} })],
    ["an error without a code", (id) => ({ jsonrpc: "2.0", id, error: { message: "no" } })],
    ["an error whose code is a text", (id) => ({ jsonrpc: "2.0", id, error: { code: "1" } })],
    ["an error that is a text", (id) => ({ jsonrpc: "2.0", id, error: "no" })],
    ["no jsonrpc", (id) => ({ id, result: completion })],
    ["its id as a text", (id) => ({ jsonrpc: "2.0", id: `${id}`, result: completion })],
    [
      "its id as a text, and an error",
      (id) => ({ jsonrpc: "2.0", id: `${id}`, error: { code: 1 } }),
    ],
    ["more on its line", (id) => `{"jsonrpc":"2.0","id":${id},"result":{}} tail`],
  ] as const satisfies readonly (readonly [string, (id: number) => unknown])[]) {
    test(`${what} fails the question at once, with an AskError that says so`, async () => {
      const caught: unknown[] = [];
      const server = makeAsker((context) =>
        context.sample(prompt).catch((thrown: unknown) => void caught.push(thrown)),
      );
      for (const version of ["2024-11-05", "2025-11-25"] as const) {
        const peer = await openPeer(server, version, everything);
        const id = peer.start("tools/call", { name: "ask" });
        peer.say(answer((await peer.next()).id));
        assert.equal((await peer.next()).id, id);
        const [thrown] = caught.splice(0);
        assert.ok(thrown instanceof AskError);
        assert.match(
          thrown.message,
          /^The client's answer to sampling\/createMessage cannot be read: ./,
        );
      }
    });
  }

  test("an answer under another id is nobody's", async () => {
    const peer = await openPeer(
      makeAsker((context) => context.sample(prompt)),
      "2025-11-25",
      everything,
    );
    peer.start("tools/call", { name: "ask" });
    const { id } = await peer.next();
    for (const other of [`0${id}`, ` ${id}`, "", "NaN", `${id + 1}`, id + 1, null, undefined, -id])
      peer.say(
        { jsonrpc: "2.0", id: other, result: null },
        { jsonrpc: "2.0", id: other, result: completion },
        { jsonrpc: "2.0", id: other, error: { code: 1, message: "" } },
      );
    assert.deepEqual(await peer.rest(), []);
    peer.say({ jsonrpc: "2.0", id, result: completion });
    assert.equal((await peer.next()).result.isError, undefined);
  });

  test("a client that does not answer is given up at askTimeoutMs, and told so", async () => {
    const peer = await openPeer(
      makeAsker((context) => context.sample(prompt), { limits: { askTimeoutMs: 1 } }),
      "2025-06-18",
      everything,
    );
    peer.start("tools/call", { name: "ask" }, "slow");
    const asked = await peer.next();
    assert.deepEqual(await peer.next(), {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: asked.id, reason: "did not answer within 1 ms" },
    });
    const { id, result } = await peer.next();
    assert.equal(id, "slow");
    assert.equal(result.isError, true);
    peer.say({ jsonrpc: "2.0", id: asked.id, result: completion });
    assert.deepEqual(await peer.rest(), []);
  });

  test("cancelling a call withdraws its question; one that asks afterwards asks nobody", async () => {
    const failures: unknown[] = [];
    const server = makeAsker(async (context) => {
      await context.sample(prompt).catch((thrown: unknown) => failures.push(thrown));
      await context.listRoots().catch((thrown: unknown) => failures.push(thrown));
    });
    const peer = await openPeer(server, "2025-06-18", everything);
    const id = peer.start("tools/call", { name: "ask" });
    const asked = await peer.next();
    peer.notify("notifications/cancelled", { requestId: id });
    const withdrawn = await peer.next();
    assert.equal(withdrawn.method, "notifications/cancelled");
    assert.equal(withdrawn.params.requestId, asked.id);
    assert.deepEqual(await peer.rest(), []);
    assert.equal(failures.length, 2);
  });

  test("a session that ends gives up its open questions and answers the call", async () => {
    const peer = await openPeer(
      makeAsker((context) => context.sample(prompt)),
      "2025-06-18",
      everything,
    );
    const id = peer.start("tools/call", { name: "ask" });
    await peer.next();
    await peer.close();
    const reply = await peer.next();
    assert.equal(reply.id, id);
    assert.equal(reply.result.isError, true);
  });
});
