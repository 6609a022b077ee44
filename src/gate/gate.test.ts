import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { makeLatch, openDesk, textTool } from "../../fixtures/gate.ts";
import { openPeer, versions } from "../../fixtures/wire-script.ts";
import { ToolError } from "../server/index.ts";
import { codes, defineTool, ToolFailure } from "./index.ts";
import { sealEnvelope, toRefusal } from "./seal.ts";

const ids = { task_id: "t1", call_id: "c1" };

test("a result is an envelope, and the same as a short text, in every revision", async () => {
  await using desk = await openDesk([textTool("get", "read", (text) => text.toUpperCase())]);
  for (const version of versions) {
    const peer = await openPeer(desk.server, version);
    const { result } = await peer.request("tools/call", { name: "get", arguments: { text: "a" } });
    assert.deepEqual(JSON.parse(result.content[0].text), {
      ok: true,
      code: "ok",
      data: { text: "A" },
    });
    assert.notEqual(result.isError, true);
    if (result.structuredContent === undefined) continue;
    const { trace_id, duration_ms, ...rest } = result.structuredContent;
    assert.match(trace_id, /^[0-9a-f]{32}$/);
    assert.equal(typeof duration_ms, "number");
    assert.deepEqual(rest, {
      ok: true,
      code: "ok",
      retryable: false,
      attempts: 1,
      message: "",
      hint: "",
      data: { text: "A" },
      warnings: [],
      replayed: false,
      task_id: null,
      call_id: null,
    });
  }
});

test("what is published: the two ids, hints drawn from the risk, and a schema that every envelope fits", async () => {
  const output = {
    type: "object",
    properties: { tree: { $ref: "#/$defs/tree" } },
    $defs: {
      tree: {
        type: "object",
        properties: { kids: { type: "array", items: { $ref: "#/$defs/tree" } } },
      },
    },
  } as const;
  const input = {
    type: "object",
    properties: { n: { type: "integer", maximum: 5 } },
    required: ["n"],
    additionalProperties: false,
  } as const;
  const run = ({ n }: { readonly n: number }) => {
    if (n > 1) throw new ToolFailure("not_found", "No such tree");
    return { tree: { kids: n === 0 ? [] : [5 as never] } };
  };
  const tools = (["read", "write"] as const).map((risk) =>
    defineTool({
      name: risk,
      description: "Does",
      risk,
      ...(risk === "read" && { openWorld: false }),
      input,
      output,
      run,
    }),
  );
  await using desk = await openDesk(tools);
  const { result } = await desk.peer.request("tools/list");
  const [read, write] = result.tools;
  assert.deepEqual(Object.keys(read.inputSchema.properties), ["n", "task_id", "call_id"]);
  assert.deepEqual(
    [read.inputSchema.required, write.inputSchema.required],
    [["n"], ["n", "task_id", "call_id"]],
  );
  assert.match(write.inputSchema.properties.call_id.description, /make up a new one for each/);
  assert.deepEqual(
    [read.annotations, write.annotations],
    [
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    ],
  );
  const ajv = new Ajv2020({ strict: false });
  const fits = ajv.compile(read.outputSchema);
  for (const n of [0, 1, 2, 3, "x"]) {
    const envelope = await desk.call("read", { n });
    assert.ok(fits(envelope), JSON.stringify(fits.errors));
    assert.equal(
      envelope.code,
      { 0: "ok", 1: "internal_error", 2: "not_found", 3: "not_found", x: "invalid_arguments" }[n],
    );
  }
  assert.equal(
    fits({ ...(await desk.call("read", { n: 0 })), data: { tree: { kids: [5] } } }),
    false,
  );
});

describe("a call is refused, and its tool does not run,", () => {
  const never = (): never => assert.fail("The tool ran");
  const tools = [textTool("get", "read", never), textTool("send", "write", never)];

  for (const [what, name, args, code, text] of [
    [
      "with an unknown argument",
      "get",
      { txt: "a" },
      "invalid_arguments",
      /"txt" is unknown, expected "text"/,
    ],
    ["with a wrong type", "get", { text: 5 }, "invalid_arguments", /"text" must be string/],
    [
      "with an id of a wrong form",
      "get",
      { task_id: "a b" },
      "invalid_arguments",
      /"task_id" is the string "a b"/,
    ],
    [
      "with an id that is too long",
      "get",
      { call_id: "x".repeat(101) },
      "invalid_arguments",
      /a string of 101 characters/,
    ],
    [
      "with an empty id",
      "send",
      { ...ids, call_id: "" },
      "invalid_arguments",
      /"call_id" is the string ""/,
    ],
    ["as a write without ids", "send", {}, "ids_required", /A write needs task_id and call_id/],
    ["as a write with one id", "send", { task_id: "t" }, "ids_required", /A write needs call_id/],
    [
      "as a write without a grant",
      "send",
      ids,
      "grant_required",
      /No grant allows "send" for the task "t1"/,
    ],
  ] as const)
    test(what, async () => {
      await using desk = await openDesk(tools);
      const envelope = await desk.call(name, args);
      assert.deepEqual(
        [envelope.ok, envelope.code, envelope.attempts, envelope.data],
        [false, code, 0, null],
      );
      assert.match(envelope.message, text);
      assert.equal(envelope.retryable, codes[code].retryable);
      assert.notEqual(envelope.hint, "");
    });

  test("by its own gate in every revision, and not by the protocol", async () => {
    await using desk = await openDesk(tools);
    for (const version of versions) {
      const peer = await openPeer(desk.server, version);
      const { result } = await peer.request("tools/call", { name: "get", arguments: { text: 5 } });
      assert.equal(result.isError, true);
      assert.equal(JSON.parse(result.content[0].text).code, "invalid_arguments");
    }
  });

  test("by conduct, before anything is asked about grants; a principal's own conduct comes first", async () => {
    const options = {
      conduct: { deniedTools: ["send"] },
      principals: { ann: { conduct: { deniedTools: ["get"] } } },
    };
    await using desk = await openDesk(tools, options);
    assert.equal((await desk.call("send", ids)).code, "conduct_refused");
    await using anns = await openDesk(tools, { ...options, principal: "ann" });
    assert.equal((await anns.call("get")).code, "conduct_refused");
    assert.equal((await anns.call("send", ids)).code, "grant_required");
  });
});

describe("a failure", () => {
  for (const [what, thrown, expected, message] of [
    [
      "of its own account",
      new ToolFailure("not_found", "No order 7", { hint: "List them" }),
      "not_found",
      "No order 7",
    ],
    ["of the server's kind", new ToolError("Too late"), "tool_failed", "Too late"],
    ["that is a fault", new Error("password is hunter2"), "internal_error", "The tool has a fault"],
    ["that is no error", "hunter2", "internal_error", "The tool has a fault"],
  ] as const)
    test(`${what} becomes ${expected}`, async () => {
      const get = textTool(
        "get",
        "read",
        (_text, call) =>
          call.step("look", () => {
            throw thrown; // eslint-disable-line typescript/only-throw-error -- a tool may throw anything
          }),
        { steps: ["open", "look", "close"] },
      );
      await using desk = await openDesk([get]);
      const envelope = await desk.call("get");
      assert.deepEqual(
        [envelope.code, envelope.message, envelope.step],
        [expected, message, { name: "look", index: 1, of: 3 }],
      );
      assert.ok(!JSON.stringify(envelope).includes("hunter2"));
      assert.equal(desk.reports.length, expected === "internal_error" ? 1 : 0);
      if (expected === "internal_error")
        assert.match(
          desk.reports[0]!,
          new RegExp(`get failed \\(trace_id ${envelope.trace_id}\\): .*hunter2`),
        );
    });

  test("of the code beside the tool is a fault too", async () => {
    const origin = () => {
      throw new Error("hunter2");
    };
    await using desk = await openDesk([textTool("get", "read", () => "x", { origin })]);
    const envelope = await desk.call("get");
    assert.deepEqual([envelope.code, envelope.attempts], ["internal_error", 0]);
    assert.match(desk.reports.join(), /hunter2/);
  });

  test("to keep to the output schema is a fault of the tool", async () => {
    const bad = textTool("bad", "read", () => "x", {
      output: { type: "object", properties: { text: { type: "integer" } } },
    });
    await using desk = await openDesk([bad]);
    assert.equal((await desk.call("bad")).code, "internal_error");
    assert.match(desk.reports.join(), /outside of its output schema: "text" must be integer/);
  });
});

test("a result may have as many bytes as its bound, and not one more", () => {
  const facts = {
    traceId: "0".repeat(32),
    principal: "p",
    door: "d",
    tool: "t",
    risk: "read",
    taskId: undefined,
    callId: undefined,
    args: {},
    origin: undefined,
    at: 0,
  } as const;
  const refusal = toRefusal(facts, { code: "ok", message: "" });
  const envelope = { ...refusal, data: "é".repeat(500), attempts: 2 };
  const size = Buffer.byteLength(JSON.stringify(envelope));
  assert.deepEqual(sealEnvelope(envelope, facts, [], size + 1), { envelope, bytes: size });
  assert.deepEqual(sealEnvelope(envelope, facts, [], size), { envelope, bytes: size });
  const cut = sealEnvelope(envelope, facts, [], size - 1).envelope;
  assert.deepEqual(
    [cut.code, cut.ok, cut.data, cut.attempts],
    ["result_too_large", false, null, 2],
  );
  assert.equal(cut.message, `The result has ${size} bytes, and may have ${size - 1} (resultBytes)`);
});

test("a write whose result is too large is kept as that, and not done again", async () => {
  let runs = 0;
  const make = textTool("make", "write", (text) => text + String(++runs), {
    limits: { resultBytes: 1000 },
  });
  await using desk = await openDesk([make]);
  desk.grant("t1", ["make"], 5);
  const first = await desk.call("make", { ...ids, text: "x".repeat(1000) });
  assert.deepEqual([first.code, first.attempts], ["result_too_large", 1]);
  assert.deepEqual(await desk.call("make", { ...ids, text: "x".repeat(1000) }), {
    ...first,
    replayed: true,
  });
  assert.equal(runs, 1);
});

test("the caller's cancellation reaches a read, and progress reaches the caller", async () => {
  const latch = makeLatch();
  let isAborted = false;
  const get = textTool("get", "read", async (_text, call) => {
    call.progress(1, 2, "half");
    call.signal.addEventListener("abort", () => (isAborted = true));
    await latch.opened;
    return "x";
  });
  await using desk = await openDesk([get]);
  const id = desk.peer.start("tools/call", {
    name: "get",
    arguments: {},
    _meta: { progressToken: 5 },
  });
  assert.deepEqual((await desk.peer.next()).params, {
    progressToken: 5,
    progress: 1,
    total: 2,
    message: "half",
  });
  desk.peer.notify("notifications/cancelled", { requestId: id });
  await desk.peer.rest();
  assert.equal(isAborted, true);
  latch.open();
});

test("every code says what it means and what to do next", () => {
  for (const [code, { meaning, next }] of Object.entries(codes)) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/);
    assert.ok(meaning.length > 10 && next.length > 10);
  }
});
