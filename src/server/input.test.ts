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
import { openPeer, versions, type Version } from "../../fixtures/wire-script.ts";
import { createServer, type Context } from "./index.ts";

const yes = { action: "accept", content: { sure: true } };
const roots = { roots: [{ uri: "file:///home" }] };
const withElicitation: readonly Version[] = ["2025-06-18", "2025-11-25", "2026-07-28"];

describe("one API for both eras", () => {
  for (const version of withElicitation) {
    test(`elicit serves ${version}`, async () => {
      const server = makeAsker((context) => context.elicit(question));
      const { reply, asked } = await converse(
        await openPeer(server, version, everything),
        (method, params) => {
          assert.deepEqual(params, question);
          return yes;
        },
      );
      assert.deepEqual(asked, [["elicitation/create"]]);
      assert.deepEqual(JSON.parse(reply.result.content[0].text), yes);
    });

    test(`an answer that declines is an answer (${version})`, async () => {
      const server = makeAsker(async (context) => (await context.elicit(question)).action);
      const { reply } = await converse(await openPeer(server, version, everything), () => ({
        action: "decline",
        content: null,
      }));
      assert.equal(reply.result.content[0].text, "decline");
    });
  }

  for (const version of versions) {
    test(`sample and listRoots serve ${version}, one after the other`, async () => {
      const server = makeAsker(async (context) => {
        const { model } = await context.sample(prompt);
        const { roots: folders } = await context.listRoots();
        return `${model} ${folders.length}`;
      });
      const peer = await openPeer(server, version, everything);
      const { reply, asked } = await converse(peer, (method) =>
        method === "roots/list" ? roots : completion,
      );
      assert.deepEqual(asked, [["sampling/createMessage"], ["roots/list"]]);
      assert.equal(reply.result.content[0].text, "m 1");
      assert.deepEqual(await peer.rest(), []);
    });

    test(`two questions at once serve ${version}`, async () => {
      const server = makeAsker(async (context) => {
        const [one, two] = await Promise.all([context.sample(prompt), context.listRoots()]);
        return `${one.model} ${two.roots.length}`;
      });
      const { reply, asked } = await converse(
        await openPeer(server, version, everything),
        (method) => (method === "roots/list" ? roots : completion),
      );
      assert.deepEqual(asked.flat(), ["sampling/createMessage", "roots/list"]);
      assert.equal(asked.length, version === "2026-07-28" ? 1 : 2);
      assert.equal(reply.result.content[0].text, "m 1");
    });

    test(`two questions awaited in turn leave nothing unhandled (${version})`, async () => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown): number => unhandled.push(reason);
      process.on("unhandledRejection", note);
      const server = makeAsker(async (context) => {
        const [one, two] = [context.sample(prompt), context.listRoots()];
        return `${(await one).model} ${(await two).roots.length}`;
      });
      const peer = await openPeer(server, version, everything);
      const { reply } = await converse(peer, (method) =>
        method === "roots/list" ? roots : completion,
      );
      assert.equal(reply.result.content[0].text, "m 1");
      await peer.rest();
      process.off("unhandledRejection", note);
      assert.deepEqual(unhandled, []);
    });
  }

  test("prompts and resources may ask as well", async () => {
    const server = createServer({ name: "q", version: "1" })
      .addPrompt({
        name: "p",
        get: async (_args, context) => (await context.elicit(question)).action,
      })
      .addResource({
        uri: "r:",
        name: "r",
        read: async (_uri, context) => (await context.elicit(question)).action,
      });
    for (const [method, params] of [
      ["prompts/get", { name: "p" }],
      ["resources/read", { uri: "r:" }],
    ] as const) {
      const peer = await openPeer(server, "2026-07-28", everything);
      const { inputRequests, requestState } = (await peer.request(method, params)).result;
      const inputResponses = { [Object.keys(inputRequests)[0] ?? ""]: yes };
      const { result } = await peer.request(method, { ...params, inputResponses, requestState });
      assert.match(JSON.stringify(result), /"text":"accept"/);
    }
  });

  test("a URL is asked for where revision and client have it, with an id in 2025-11-25 alone", async () => {
    const url = { mode: "url", message: "Go", url: "https://example.com" } as const;
    const server = makeAsker(async (context) => (await context.elicit(url)).action);
    const seen: Record<string, unknown> = {};
    for (const version of withElicitation) {
      const { reply, asked } = await converse(
        await openPeer(server, version, everything),
        (_method, params) => {
          seen[version] = typeof params.elicitationId;
          return { action: "accept" };
        },
      );
      assert.equal(asked.length, version === "2025-06-18" ? 0 : 1);
      assert.equal(reply.result.isError, version === "2025-06-18" ? true : undefined);
    }
    assert.deepEqual(seen, { "2025-11-25": "string", "2026-07-28": "undefined" });
  });
});

describe("a capability that the client has not declared", () => {
  for (const [what, ask, capabilities, required] of [
    ["elicitation", (context) => context.elicit(question), { roots: {} }, { elicitation: {} }],
    [
      "form elicitation",
      (context) => context.elicit(question),
      { elicitation: { url: {} } },
      { elicitation: { form: {} } },
    ],
    [
      "url elicitation",
      (context) => context.elicit({ mode: "url", message: "", url: "https://e.com" }),
      { elicitation: {} },
      { elicitation: { url: {} } },
    ],
    ["sampling", (context) => context.sample(prompt), { elicitation: {} }, { sampling: {} }],
    [
      "sampling with tools",
      (context) => context.sample({ ...prompt, tools: [] }),
      { sampling: {} },
      { sampling: { tools: {} } },
    ],
    ["roots", (context) => context.listRoots(), {}, { roots: {} }],
  ] as const satisfies readonly (readonly [
    string,
    (context: Context) => unknown,
    object,
    object,
  ])[]) {
    test(`${what}: a result for the model in the handshake era, -32021 with what is required in the stateless one`, async () => {
      const server = makeAsker(ask);
      const old = await (
        await openPeer(server, "2025-11-25", capabilities)
      ).request("tools/call", { name: "ask" });
      assert.equal(old.result.isError, true);
      const { error } = await (
        await openPeer(server, "2026-07-28", capabilities)
      ).request("tools/call", { name: "ask" });
      assert.equal(error.code, -32021);
      assert.deepEqual(error.data, { requiredCapabilities: required });
    });
  }
});
