import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { openDesk, textTool } from "../../fixtures/gate.ts";
import {
  createList,
  defineTool,
  listSchema,
  maxLoopBound,
  type GateToolDefinition,
} from "./index.ts";

const output = {
  type: "object",
  properties: { id: { type: "integer" } },
  required: ["id"],
} as const;

function define(input: object, more: Partial<GateToolDefinition> = {}): void {
  defineTool({
    name: "t",
    description: "Does",
    risk: "read",
    input: { type: "object", additionalProperties: false, ...input },
    output,
    run: () => ({ id: 1 }),
    ...more,
  });
}

function properties(schema: unknown): object {
  return { properties: { a: schema } };
}

describe("defineTool() takes", () => {
  for (const [what, schema] of [
    ["a number with a maximum", { type: "number", maximum: 5 }],
    ["an integer with an exclusive maximum", { type: "integer", exclusiveMaximum: 5 }],
    ["a text with a length", { type: "string", maxLength: 5 }],
    ["a value of an enum", { enum: ["a", 1] }],
    ["a constant", { const: 1 }],
    ["a boolean or null", { type: ["boolean", "null"] }],
    ["a bounded list", { type: "array", maxItems: 3, items: { type: "string", maxLength: 5 } }],
    ["a closed object", { type: "object", properties: {}, additionalProperties: false }],
    ["bounded alternatives", { anyOf: [{ type: "null" }, { type: "string", maxLength: 5 }] }],
  ] as const)
    test(what, () => define(properties(schema)));

  test("a reference to a bounded definition", () => {
    define({
      ...properties({ $ref: "#/$defs/id" }),
      $defs: { id: { type: "integer", maximum: 9 } },
    });
  });

  test("a schema of Zod, whose arguments it infers", async () => {
    const input = z.strictObject({ n: z.int().max(9), text: z.string().max(5).default("x") });
    const tool = defineTool({
      name: "t",
      description: "Does",
      risk: "read",
      input,
      output: z.object({ id: z.int() }),
      run: ({ n, text }) => ({ id: n + text.length }),
    });
    await using desk = await openDesk([tool]);
    assert.deepEqual((await desk.call("t", { n: 1 })).data, { id: 2 });
    assert.equal((await desk.call("t", { n: 10 })).code, "invalid_arguments");
  });
});

describe("defineTool() refuses", () => {
  for (const [what, schema, text] of [
    ["an open object", {}, /input is open/],
    ["a number without a maximum", { type: "number" }, /"a" is a number without "maximum"/],
    [
      "a text without a length",
      { type: "string", pattern: "x" },
      /"a" is a string without "maxLength"/,
    ],
    [
      "a list without a length",
      { type: "array", items: { const: 1 } },
      /"a" is an array without "maxItems"/,
    ],
    ["a list of anything", { type: "array", maxItems: 1 }, /"a\[\]" takes any value/],
    [
      "an unbounded item",
      { type: "array", maxItems: 1, items: { type: "string" } },
      /"a\[\]" is a string/,
    ],
    ["an open object inside", { type: "object" }, /"a" is an open object/],
    [
      "an unbounded member inside",
      { type: "object", properties: { b: { type: "number" } }, additionalProperties: false },
      /"a.b" is a number/,
    ],
    ["one unbounded type of two", { type: ["null", "string"] }, /"a" is a string/],
    ["one unbounded alternative", { oneOf: [{ const: 1 }, { type: "string" }] }, /"a" is a string/],
    ["a value without a type", { description: "x" }, /"a" has the type absent/],
    ["any value", true, /"a" takes any value/],
  ] as const)
    test(what, () => {
      const input =
        what === "an open object" ? { additionalProperties: undefined } : properties(schema);
      assert.throws(() => define(input), { code: "invalid-contract", message: text });
    });

  test("an unbounded definition, and the ids of the gate among the arguments", () => {
    const input = { ...properties({ $ref: "#/$defs/id" }), $defs: { id: { type: "integer" } } };
    assert.throws(() => define(input), /"\$defs.id" is a number without "maximum"/);
    const reserved = { properties: { task_id: { type: "string", maxLength: 1 } } };
    assert.throws(() => define(reserved), /"task_id" is the gate's own/);
  });

  test("a loop argument over its bound, and not one at it", () => {
    const loop = (maximum: number): void =>
      define(properties({ type: "integer", maximum }), { loops: ["a"] });
    loop(maxLoopBound - 1);
    loop(maxLoopBound);
    assert.throws(
      () => loop(maxLoopBound + 1),
      /loop argument "a" has the bound the number 1001, expected a "maximum" or "maxItems" of at most 1000/,
    );
    assert.throws(() => define({}, { loops: ["a"] }), /loop argument "a" has the bound absent/);
  });

  test("whatever is missing, by name", () => {
    const rest = { name: "t", description: "x", risk: "read", input: {}, run: () => 1 };
    assert.throws(
      () => defineTool(rest as never),
      /Cannot define the tool "t": it has no output, expected one/,
    );
    assert.throws(
      () => defineTool({} as never),
      /it has no name, expected one; it has no description/,
    );
  });

  test("an empty description and a list without its count, all at once", () => {
    const bare = { type: "object", properties: { items: {} } } as const;
    assert.throws(
      () => define({}, { description: " ", output: bare }),
      (error: Error) => {
        assert.match(
          error.message,
          /Cannot define the tool "t": it has no description; its output has "items" without "count"/,
        );
        assert.match(
          error.message,
          /"items" without "total".*; its output has "items" without "truncated"/,
        );
        return true;
      },
    );
    assert.throws(() => define({}, { output: { type: "array" } }), /its output is a bare array/);
    assert.throws(
      () => define({}, { risk: "maybe" as "read" }),
      /its risk is "maybe", expected "read" or "write"/,
    );
  });
});

test("addTo() refuses a name that hosts refuse, a limit above the gate's by its name, and adds nothing then", async () => {
  await using desk = await openDesk([], {
    limits: { maxDeadlineMs: 100, deadlineMs: 50, attempts: 2 },
  });
  const good = textTool("good", "read", () => "x");
  const add = (...tools: Parameters<typeof desk.gate.addTo>[1]) =>
    desk.gate.addTo(desk.server, tools);
  for (const name of ["a.b", "a b", "", "x".repeat(65), "ä"])
    assert.throws(
      () =>
        add(
          good,
          textTool(name === "" ? "é" : name, "read", () => "x"),
        ),
      { code: "invalid-name" },
    );
  for (const [deadlineMs, isTaken] of [
    [99, true],
    [100, true],
    [101, false],
  ] as const) {
    const act = () =>
      add(textTool(`t${deadlineMs}`, "read", () => "x", { limits: { deadlineMs } }));
    if (isTaken) act();
    else
      assert.throws(
        act,
        /"t101.deadlineMs": it is 101, expected at most 100, the gate's maxDeadlineMs/,
      );
  }
  assert.throws(
    () =>
      add(
        good,
        textTool("u", "read", () => "x", { limits: { attempts: 3 } }),
      ),
    /u.attempts/,
  );
  assert.equal(desk.server.catalogue.tools.get("good"), undefined);
});

test("a list says how many there are, or why nobody knows", async () => {
  assert.deepEqual(createList([1, 2], { total: 3 }), {
    items: [1, 2],
    count: 2,
    total: 3,
    truncated: true,
  });
  assert.deepEqual(createList([1], { total: 1 }), {
    items: [1],
    count: 1,
    total: 1,
    truncated: false,
  });
  const unknown = createList([1], { total: null, reason: "not counted", truncated: true });
  assert.deepEqual(unknown, {
    items: [1],
    count: 1,
    total: null,
    total_reason: "not counted",
    truncated: true,
  });
  const list = defineTool({
    name: "list",
    description: "Lists",
    risk: "read",
    input: { type: "object", properties: {}, additionalProperties: false },
    output: listSchema({ type: "integer" }, 3),
    run: () => unknown,
  });
  await using desk = await openDesk([list]);
  assert.deepEqual((await desk.call("list")).data, unknown);
});
