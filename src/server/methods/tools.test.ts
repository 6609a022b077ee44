import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { callEverywhere, makeServer, person } from "../../../fixtures/call-everywhere.ts";
import { openPeer, versions } from "../../../fixtures/wire-script.ts";
import { createServer, ToolError, ToolResult, type Server } from "../index.ts";

describe("what a tool gives", () => {
  for (const [what, value, content] of [
    ["a text", "hello", [{ type: "text", text: "hello" }]],
    ["an empty text", "", [{ type: "text", text: "" }]],
    ["an object", { a: 1 }, [{ type: "text", text: '{"a":1}' }]],
    ["null", null, [{ type: "text", text: "null" }]],
    ["0", 0, [{ type: "text", text: "0" }]],
    ["nothing", undefined, []],
    ["a function", () => 1, []],
  ] as const) {
    test(`${what} becomes content in every revision`, async () => {
      const server = makeServer().addTool({ name: "give", run: () => value });
      for (const result of await callEverywhere(server, "give"))
        assert.deepEqual(result, { content });
    });
    test(`${what} as a promise becomes the same`, async () => {
      const server = makeServer().addTool({ name: "give", run: async () => value });
      for (const result of await callEverywhere(server, "give"))
        assert.deepEqual(result, { content });
    });
  }

  test("a ToolResult goes as it is, with what a revision does not know written as text", async () => {
    const link = { type: "resource_link", uri: "file:///a", name: "A" } as const;
    const sound = { type: "audio", data: "AAAA", mimeType: "audio/wav" } as const;
    const text = { type: "text", text: "t" } as const;
    const server = makeServer().addTool({
      name: "give",
      run: () => new ToolResult([text, sound, link]),
    });
    const [first, second, ...others] = await callEverywhere(server, "give");
    const linkText = { type: "text", text: "A: file:///a" };
    assert.deepEqual(first.content, [
      text,
      { type: "text", text: "[audio, which MCP 2024-11-05 cannot carry]" },
      linkText,
    ]);
    assert.deepEqual(second.content, [text, sound, linkText]);
    for (const { content } of others) assert.deepEqual(content, [text, sound, link]);
  });

  test("an object by an output schema becomes structured content since 2025-06-18", async () => {
    const server = makeServer().addTool({
      name: "give",
      output: person,
      run: () => ({ name: "Ada", age: 3 }),
    });
    const content = [{ type: "text", text: '{"name":"Ada","age":3}' }];
    const whole = { content, structuredContent: { name: "Ada", age: 3 } };
    assert.deepEqual(await callEverywhere(server, "give"), [
      { content },
      { content },
      whole,
      whole,
      whole,
    ]);
  });

  test("an array by an output schema becomes structured content in 2026-07-28 alone", async () => {
    const output = { type: "array", items: { type: "integer" } } as const;
    const server = makeServer().addTool({ name: "give", output, run: () => [1, 2] });
    const content = [{ type: "text", text: "[1,2]" }];
    assert.deepEqual(await callEverywhere(server, "give"), [
      { content },
      { content },
      { content },
      { content },
      { content, structuredContent: [1, 2] },
    ]);
    for (const version of versions) {
      const peer = await openPeer(server, version);
      const { result } = await peer.request("tools/list");
      assert.equal("outputSchema" in result.tools[0], version === "2026-07-28");
    }
  });

  test("an output is checked, and never filled in: it may be shared", async () => {
    const shared = Object.freeze({ name: "Ada" });
    const server = makeServer().addTool({
      name: "give",
      output: person,
      run: () => shared as { name: string; age: number },
    });
    const last = (await callEverywhere(server, "give")).at(-1);
    assert.deepEqual(last.structuredContent, { name: "Ada" });
    assert.deepEqual(last.content, [{ type: "text", text: '{"name":"Ada"}' }]);
  });

  test("a value outside of the output schema is the tool's fault: -32603, and the reason goes to the report", async () => {
    const reports: string[] = [];
    const server = makeServer(reports).addTool({
      name: "give",
      output: person,
      run: () => ({ secret: 1 }) as never,
    });
    for (const error of await callEverywhere(server, "give"))
      assert.deepEqual(error, { code: -32603, message: "Internal error" });
    assert.equal(reports.length, versions.length);
    assert.match(reports[0] ?? "", /output schema: "name" is missing/);
  });

  test("a ToolResult with an output schema must carry structured content, unless it is an error", async () => {
    const server = makeServer()
      .addTool({ name: "without", output: person, run: () => new ToolResult([]) })
      .addTool({ name: "failed", output: person, run: () => new ToolResult([], { isError: true }) })
      .addTool({
        name: "with",
        output: person,
        run: () => new ToolResult([], { structuredContent: { name: "Ada" } }),
      });
    for (const error of await callEverywhere(server, "without")) assert.equal(error.code, -32603);
    for (const result of await callEverywhere(server, "failed"))
      assert.deepEqual(result, { content: [], isError: true });
    assert.deepEqual((await callEverywhere(server, "with")).at(-1), {
      content: [],
      structuredContent: { name: "Ada" },
    });
  });
});

describe("what a tool throws", () => {
  for (const kind of ["throws", "rejects"]) {
    const failing = (thrown: unknown) =>
      makeServerThat(() => {
        if (kind === "rejects") return rejectWith(thrown);
        throw thrown;
      });

    test(`a ToolError that it ${kind} is a result for the model`, async () => {
      const [server] = failing(new ToolError("No such city"));
      for (const result of await callEverywhere(server, "fail"))
        assert.deepEqual(result, {
          content: [{ type: "text", text: "No such city" }],
          isError: true,
        });
    });

    for (const [what, thrown] of [
      ["an Error", new Error("password=hunter2")],
      ["a text", "password=hunter2"],
      ["undefined", undefined],
      ["an object without a prototype", Object.create(null)],
      [
        "an object whose text is a trap",
        {
          toString: () => {
            throw new Error("trap");
          },
        },
      ],
      [
        "an error whose stack is a trap",
        Object.defineProperty(new Error("x"), "stack", {
          get: () => {
            throw new Error("trap");
          },
        }),
      ],
    ] as const) {
      test(`${what} that it ${kind} is told to the report and not to the caller`, async () => {
        const [server, reports] = failing(thrown);
        for (const error of await callEverywhere(server, "fail"))
          assert.deepEqual(error, { code: -32603, message: "Internal error" });
        assert.equal(reports.length, versions.length);
        assert.match(reports[0] ?? "", /^tools\/call failed: /);
        if (what === "an Error") assert.match(reports[0] ?? "", /hunter2/);
      });
    }
  }

  test("a result that JSON cannot carry is the tool's fault", async () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    for (const value of [
      1n,
      circle,
      new ToolResult([], { _meta: { big: 1n } }),
      new ToolResult([], { _meta: circle }),
    ]) {
      const [server, reports] = makeServerThat(() => value);
      for (const error of await callEverywhere(server, "fail")) assert.equal(error.code, -32603);
      assert.equal(reports.length, versions.length);
    }
  });

  async function rejectWith(thrown: unknown): Promise<never> {
    throw thrown;
  }

  function makeServerThat(run: () => unknown): readonly [Server, string[]] {
    const reports: string[] = [];
    return [makeServer(reports).addTool({ name: "fail", run }), reports];
  }
});

test("tools/list shows of a tool what a revision knows", async () => {
  const server = makeServer().addTool({
    name: "all",
    title: "T",
    description: "D",
    input: { type: "object", properties: {} },
    output: person,
    annotations: { readOnlyHint: true },
    icons: [{ src: "https://example.com/i.png" }],
    _meta: { "example.com/x": 1 },
    run: () => ({ name: "a", age: 1 }),
  });
  const seen: Record<string, string> = {};
  for (const version of versions) {
    const { result } = await (await openPeer(server, version)).request("tools/list");
    const [tool] = result.tools;
    assert.deepEqual(tool.inputSchema, {
      type: "object",
      properties: {},
      additionalProperties: false,
    });
    seen[version] = Object.keys(tool).toSorted().join(" ");
    assert.deepEqual(
      "ttlMs" in result && [result.ttlMs, result.cacheScope],
      version === "2026-07-28" && [0, "private"],
    );
  }
  assert.deepEqual(seen, {
    "2024-11-05": "description inputSchema name",
    "2025-03-26": "annotations description inputSchema name",
    "2025-06-18": "_meta annotations description inputSchema name outputSchema title",
    "2025-11-25": "_meta annotations description icons inputSchema name outputSchema title",
    "2026-07-28": "_meta annotations description icons inputSchema name outputSchema title",
  });
});

test("tools are declared and listed also when there are none", async () => {
  for (const version of versions) {
    const { result } = await (await openPeer(makeServer(), version)).request("tools/list");
    assert.deepEqual(result.tools, []);
  }
});

describe("what an author may do", () => {
  test("give what can be awaited and is no Promise", async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- this is what the test is about
    const later = { then: (resolve: (value: string) => void) => resolve("in the end") };
    const server = createServer({ name: "t", version: "1" });
    server.addTool({ name: "later", run: () => later });
    for (const result of await callEverywhere(server, "later"))
      assert.deepEqual(result.content, [{ type: "text", text: "in the end" }]);
  });

  test("take the context apart", async () => {
    const server = createServer({ name: "t", version: "1" });
    server.addTool({
      name: "apart",
      run: (_, { progress, log, elicit, signal }) => {
        progress(1);
        log("info", "said");
        return `${typeof elicit} ${signal.aborted}`;
      },
    });
    for (const result of await callEverywhere(server, "apart"))
      assert.deepEqual(result.content, [{ type: "text", text: "function false" }]);
  });
});

test("a tool with an output schema that gives undefined has failed: JSON has no such value", async () => {
  const reports: string[] = [];
  const server = createServer({ name: "t", version: "1", report: (text) => reports.push(text) })
    .addTool({ name: "now", output: {}, run: () => undefined })
    .addTool({ name: "later", output: {}, run: async () => undefined });
  for (const version of versions) {
    const peer = await openPeer(server, version);
    for (const name of ["now", "later"]) {
      const { error } = await peer.request("tools/call", { name });
      assert.deepEqual(error, { code: -32603, message: "Internal error" });
      assert.match(reports.pop() ?? "", /"(now|later)" has an output schema and gave undefined/);
    }
  }
});
