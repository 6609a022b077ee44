import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPeer, versions } from "../../fixtures/wire-script.ts";
import { createServer } from "./index.ts";

/** What every object has without having been given it; a peer or an author may use each as a name of their own. */
const names = Object.getOwnPropertyNames(Object.prototype);
const own = (name: string, value: unknown): object =>
  JSON.parse(`{"${name}":${JSON.stringify(value)}}`);
const report = (): void => {};
const last = "2026-07-28";

for (const name of names) {
  describe(`${name} is a name like any other`, () => {
    test("of an argument that may be left out, that is missing, and that is there", async () => {
      if (name === "__proto__") return; // no schema of Ajv's can name it
      const properties = own(name, { type: "string" });
      const server = createServer({ name: "s", version: "1", report })
        .addTool({ name: "may", input: { type: "object", properties }, run: () => "ran" })
        .addTool({
          name: "must",
          input: { type: "object", properties, required: [name] },
          output: { type: "object", properties, required: [name] },
          run: (args) => args,
        });
      for (const version of versions) {
        const peer = await openPeer(server, version);
        const say = async (tool: string, args: object) => {
          const { result, error } = await peer.request("tools/call", {
            name: tool,
            arguments: args,
          });
          return error?.message ?? result.content[0].text;
        };
        assert.equal(await say("may", {}), "ran");
        assert.equal(await say("may", own(name, "x")), "ran");
        assert.match(await say("may", own(name, 1)), /must be string/);
        assert.match(await say("must", {}), /is missing/);
        assert.equal(await say("must", own(name, "x")), JSON.stringify(own(name, "x")));
      }
    });

    test("of a prompt's argument", async () => {
      const server = createServer({ name: "s", version: "1", report }).addPrompt({
        name: "p",
        arguments: [{ name, required: true }, { name: "b" }],
        get: (args) => `${typeof args[name]} ${Object.keys(args).join()}`,
      });
      server.addPrompt({ name: "q", arguments: [{ name }], get: (args) => typeof args[name] });
      const peer = await openPeer(server, last);
      const get = async (prompt: string, args: object) => {
        const reply = await peer.request("prompts/get", { name: prompt, arguments: args });
        return reply.error?.message ?? reply.result.messages[0].content.text;
      };
      assert.match(await get("p", {}), /is missing/);
      assert.equal(await get("p", own(name, "x")), `string ${name}`);
      assert.equal(await get("q", {}), "undefined");
    });

    test("of a template's variable", async () => {
      const server = createServer({ name: "s", version: "1", report }).addResourceTemplate({
        uriTemplate: `x://a{?${name},b}`,
        name: "x",
        complete: { b: (_value, others) => [typeof others[name]] },
        read: (_uri, variables) => JSON.stringify([typeof variables[name], variables["b"]]),
      });
      const peer = await openPeer(server, last);
      const read = async (uri: string) =>
        (await peer.request("resources/read", { uri })).result.contents[0].text;
      assert.equal(await read(`x://a?${name}=1&b=2`), '["string","2"]');
      assert.equal(await read("x://a?b=2"), '["undefined","2"]');
      const complete = async (argument: string, context: object = {}) =>
        (
          await peer.request("completion/complete", {
            ref: { type: "ref/resource", uri: `x://a{?${name},b}` },
            argument: { name: argument, value: "x" },
            context,
          })
        ).result.completion.values;
      assert.deepEqual(await complete(name), []);
      assert.deepEqual(await complete("b"), ["undefined"]);
      assert.deepEqual(await complete("b", { arguments: own(name, "x") }), ["string"]);
    });

    test("of a question", async () => {
      const question = {
        message: "?",
        requestedSchema: { type: "object", properties: {} },
      } as const;
      const server = createServer({ name: "s", version: "1", report }).addTool({
        name: "ask",
        run: async (_args, { elicit }) => {
          const first = await elicit(question, { key: name });
          const second = await elicit({ ...question, message: "??" }, { key: "b" });
          return `${first.action} ${second.action}`;
        },
      });
      const peer = await openPeer(server, last, { elicitation: {} });
      const first = (await peer.request("tools/call", { name: "ask" })).result;
      assert.deepEqual(Object.keys(first.inputRequests), [name]);
      const second = (
        await peer.request("tools/call", {
          name: "ask",
          requestState: first.requestState,
          inputResponses: own(name, { action: "accept" }),
        })
      ).result;
      assert.deepEqual(Object.keys(second.inputRequests), ["b"]);
      const third = await peer.request("tools/call", {
        name: "ask",
        requestState: second.requestState,
        inputResponses: { b: { action: "decline" } },
      });
      assert.equal(third.result.content[0].text, "accept decline");
    });
  });
}
