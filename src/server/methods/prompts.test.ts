import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPeer, versions } from "../../../fixtures/wire-script.ts";
import { createServer, type Server } from "../index.ts";

function makeServer(): Server {
  const many = Array.from({ length: 101 }, (_, index) => `v${index}`);
  return createServer({ name: "p", version: "1", report: () => {} })
    .addPrompt({
      name: "greet",
      title: "Greet",
      description: "Greets",
      arguments: [
        {
          name: "who",
          title: "Who",
          required: true,
          complete: (value, { style = "" }) => [`${value}${style}`],
        },
        { name: "style", complete: async () => many },
        { name: "free" },
      ],
      get: ({ who, style }) => `Hello ${who} ${style}`,
    })
    .addPrompt({
      name: "hundred",
      arguments: [{ name: "a", complete: () => many.slice(1) }],
      get: () => [],
    })
    .addPrompt({
      name: "sound",
      get: () => [
        { role: "assistant", content: { type: "audio", data: "AA==", mimeType: "audio/wav" } },
      ],
    })
    .addPrompt({
      name: "whole",
      get: async () => ({ description: "W", messages: [], _meta: { "a.b/c": 1 } }),
    })
    .addPrompt({ name: "broken", get: () => Promise.reject(new Error("secret")) })
    .addResourceTemplate({
      uriTemplate: "f:///{dir}/{name}",
      name: "f",
      complete: { name: (value, { dir }) => [`${dir}:${value}`] },
      read: () => "",
    });
}

for (const version of versions) {
  describe(version, () => {
    test("prompts/get gives a text, messages or a whole result", async () => {
      const peer = await openPeer(makeServer(), version);
      const get = async (name: string, args?: object) =>
        (await peer.request("prompts/get", { name, arguments: args })).result;
      const greeting = await get("greet", { who: "Ada" });
      assert.equal(greeting.description, "Greets");
      assert.deepEqual(greeting.messages, [
        { role: "user", content: { type: "text", text: "Hello Ada undefined" } },
      ]);
      const [sound] = (await get("sound")).messages;
      assert.equal(sound.content.type, version === "2024-11-05" ? "text" : "audio");
      const whole = await get("whole");
      assert.equal(whole.description, "W");
      assert.equal(whole._meta["a.b/c"], 1);
    });

    test("wrong arguments are protocol errors that name them", async () => {
      const peer = await openPeer(makeServer(), version);
      for (const [args, text] of [
        [{}, '"who" is missing'],
        [undefined, '"who" is missing'],
        [{ who: "a", hwo: "b" }, '"hwo" is unknown, expected "who", "style", "free"'],
        [{ who: 5 }, '"who" is the number 5, expected a string'],
        [[], '"arguments" is an array, expected an object'],
        [
          JSON.parse('{"who":"a","__proto__":"b"}'),
          '"__proto__" is unknown, expected "who", "style", "free"',
        ],
      ] as const) {
        const { error } = await peer.request("prompts/get", { name: "greet", arguments: args });
        assert.deepEqual(error, {
          code: -32602,
          message: `Invalid arguments for the prompt greet: ${text}`,
        });
      }
      assert.equal((await peer.request("prompts/get", { name: "nobody" })).error.code, -32602);
      assert.deepEqual((await peer.request("prompts/get", { name: "broken" })).error, {
        code: -32603,
        message: "Internal error",
      });
    });

    test("prompts/list shows what the revision knows", async () => {
      const { result } = await (await openPeer(makeServer(), version)).request("prompts/list");
      const [prompt] = result.prompts;
      assert.deepEqual(
        Object.keys(prompt).toSorted(),
        version >= "2025-06-18"
          ? ["arguments", "description", "name", "title"]
          : ["arguments", "description", "name"],
      );
      assert.deepEqual(
        Object.keys(prompt.arguments[0]),
        version >= "2025-06-18" ? ["name", "title", "required"] : ["name", "required"],
      );
    });

    test("completion/complete completes prompts and templates, at most 100 values", async () => {
      const peer = await openPeer(makeServer(), version);
      const complete = async (ref: object, name: string, value: string, args?: object) =>
        (
          await peer.request("completion/complete", {
            ref,
            argument: { name, value },
            context: args && { arguments: args },
          })
        ).result.completion;
      const greet = { type: "ref/prompt", name: "greet" };
      assert.deepEqual(await complete(greet, "who", "A", { style: "!" }), {
        values: ["A!"],
        total: 1,
        hasMore: false,
      });
      assert.deepEqual(await complete(greet, "free", "A"), {
        values: [],
        total: 0,
        hasMore: false,
      });
      const style = await complete(greet, "style", "");
      assert.deepEqual([style.values.length, style.total, style.hasMore], [100, 101, true]);
      const hundred = await complete({ type: "ref/prompt", name: "hundred" }, "a", "");
      assert.deepEqual([hundred.values.length, hundred.total, hundred.hasMore], [100, 100, false]);
      const file = { type: "ref/resource", uri: "f:///{dir}/{name}" };
      assert.deepEqual((await complete(file, "name", "x", { dir: "d", bad: 5 })).values, ["d:x"]);
      assert.deepEqual((await complete(file, "dir", "x")).values, []);
    });

    test("completion is declared where the revision has a capability for it", async () => {
      const peer = await openPeer(makeServer(), version);
      const opening =
        version === "2026-07-28"
          ? (await peer.request("server/discover")).result
          : JSON.parse(peer.lines[0] ?? "").result;
      assert.equal("completions" in opening.capabilities, version !== "2024-11-05");
    });
  });
}

test("completion of what does not exist is refused with -32602", async () => {
  const peer = await openPeer(makeServer(), "2025-11-25");
  const argument = { name: "who", value: "" };
  for (const params of [
    {},
    { ref: null, argument },
    { ref: { type: "ref/prompt", name: "greet" } },
    { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who" } },
    { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "constructor", value: "" } },
    { ref: { type: "ref/prompt", name: "nobody" }, argument },
    { ref: { type: "ref/prompt" }, argument },
    { ref: { type: "ref/resource", uri: "f:///a/b" }, argument },
    { ref: { type: "ref/resource", uri: "f:///{dir}/{name}" }, argument },
    { ref: { type: "ref/tool", name: "greet" }, argument },
  ])
    assert.equal(
      (await peer.request("completion/complete", params)).error.code,
      -32602,
      JSON.stringify(params),
    );
});

test("without completers there is no completion", async () => {
  const server = createServer({ name: "p", version: "1" }).addPrompt({ name: "a", get: () => "" });
  const peer = await openPeer(server, "2025-11-25");
  assert.equal((await peer.request("completion/complete")).error.code, -32601);
});

for (const [what, given] of [
  ["a text", "text"],
  ["null", null],
  ["nothing", undefined],
  ["numbers", [1]],
  ["a text, later", Promise.resolve("text")],
] as const) {
  test(`a completer that gives ${what} is reported, and its caller gets -32603`, async () => {
    const reports: string[] = [];
    const server = createServer({ name: "p", version: "1", report: (text) => reports.push(text) });
    const complete = (): string[] => given as unknown as string[];
    server.addPrompt({ name: "odd", arguments: [{ name: "a", complete }], get: () => "" });
    const peer = await openPeer(server, "2026-07-28");
    const { error } = await peer.request("completion/complete", {
      ref: { type: "ref/prompt", name: "odd" },
      argument: { name: "a", value: "" },
    });
    assert.deepEqual(error, { code: -32603, message: "Internal error" });
    assert.match(reports[0] ?? "", /The completer of "a" gave .+, expected an array of strings/);
  });
}
