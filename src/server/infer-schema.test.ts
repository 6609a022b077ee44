import assert from "node:assert/strict";
import { test } from "node:test";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as valibot from "valibot";
import { z } from "zod";
import { UsageError, type JsonObject } from "../protocol/index.ts";
import { openPeer } from "../../fixtures/wire-script.ts";
import { createServer, type Infer, type StandardSchema, type ToolDefinition } from "./index.ts";

/** Is `true` for two types that can stand for each other. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

/** The compiler judges the statement; what is left for the run is to show that it was made. */
function holds(statement: true): void {
  assert.ok(statement);
}

test("a JSON Schema is read as a type", () => {
  holds(true satisfies Same<Infer<{ type: "string" }>, string>);
  holds(true satisfies Same<Infer<{ type: "integer" }>, number>);
  holds(true satisfies Same<Infer<{ type: "number" }>, number>);
  holds(true satisfies Same<Infer<{ type: "boolean" }>, boolean>);
  holds(true satisfies Same<Infer<{ type: "null" }>, null>);
  holds(true satisfies Same<Infer<{ type: readonly ["string", "null"] }>, string | null>);
  holds(true satisfies Same<Infer<{ enum: readonly ["a", 1, null] }>, "a" | 1 | null>);
  holds(true satisfies Same<Infer<{ const: "only" }>, "only">);
  holds(
    true satisfies Same<Infer<{ type: "array"; items: { type: "string" } }>, readonly string[]>,
  );
  holds(true satisfies Same<Infer<{ type: "array" }>, readonly unknown[]>);
  holds(true satisfies Same<Infer<{ type: "object" }>, JsonObject>);
  holds(
    true satisfies Same<
      Infer<{ anyOf: readonly [{ type: "string" }, { type: "integer" }] }>,
      string | number
    >,
  );
  holds(true satisfies Same<Infer<{ oneOf: readonly [{ const: 1 }, { const: 2 }] }>, 1 | 2>);
  holds(true satisfies Same<Infer<{ description: "anything" }>, unknown>);
});

test("a JSON Schema object tells required, optional and defaulted members apart", () => {
  interface Nested {
    readonly required: string;
    readonly defaulted: number;
    readonly optional?: boolean;
    readonly deep: { readonly list: readonly ("x" | "y")[] };
  }
  createServer({ name: "t", version: "1" }).addTool({
    name: "typed",
    input: {
      type: "object",
      properties: {
        required: { type: "string" },
        defaulted: { type: "integer", default: 3 },
        optional: { type: "boolean" },
        deep: {
          type: "object",
          properties: { list: { type: "array", items: { enum: ["x", "y"] } } },
          required: ["list"],
        },
      },
      required: ["required", "deep"],
    },
    run: (args) => {
      holds(true satisfies Same<typeof args.required, Nested["required"]>);
      holds(true satisfies Same<typeof args.defaulted, Nested["defaulted"]>);
      holds(true satisfies Same<typeof args.optional, boolean | undefined>);
      holds(true satisfies Same<typeof args.deep.list, Nested["deep"]["list"]>);
      // @ts-expect-error: nobody declared it
      return args.unknown;
    },
  });
});

test("a tool without input gets no arguments, and one without output gives anything", () => {
  createServer({ name: "t", version: "1" })
    .addTool({
      name: "a",
      input: { type: "object", properties: {} },
      run: (args) => holds(true satisfies Same<keyof typeof args, never>),
    })
    .addTool({ name: "b", run: () => 5 })
    .addTool({ name: "c", run: async () => ({ any: "thing" }) });
});

test("an output schema is what run must give", () => {
  const output = {
    type: "object",
    properties: { n: { type: "integer" } },
    required: ["n"],
  } as const;
  createServer({ name: "t", version: "1" })
    .addTool({ name: "good", output, run: () => ({ n: 1 }) })
    .addTool({ name: "late", output, run: async () => ({ n: 1 }) })
    // @ts-expect-error: a text where a number must be
    .addTool({ name: "wrong", output, run: () => ({ n: "1" }) })
    // @ts-expect-error: the number is missing
    .addTool({ name: "missing", output, run: async () => ({}) })
    // @ts-expect-error: by Zod it is a number as well
    .addTool({ name: "zod", output: z.object({ n: z.number() }), run: () => ({ n: "1" }) });
});

const libraries = {
  zod: z.object({
    city: z.string(),
    days: z.number().int().default(1),
    unit: z.enum(["C", "F"]).optional(),
  }),
  valibot: toStandardJsonSchema(
    valibot.object({
      city: valibot.string(),
      days: valibot.optional(valibot.pipe(valibot.number(), valibot.integer()), 1),
      unit: valibot.optional(valibot.picklist(["C", "F"])),
    }),
  ),
  arktype: type({ city: "string", days: "number.integer = 1", "unit?": "'C' | 'F'" }),
};

interface Weather {
  city: string;
  days: number;
  unit?: "C" | "F" | undefined;
}

test("schemas of Zod, Valibot and ArkType are types as well", () => {
  const fits = <Input extends StandardSchema>(
    input: Input,
    run: (args: Infer<Input>) => unknown,
  ): ToolDefinition<Input> => ({ name: "x", input, run });
  fits(libraries.zod, ({ city, days, unit }: Weather) => [city, days, unit]);
  fits(libraries.valibot, ({ city, days, unit }: Weather) => [city, days, unit]);
  fits(libraries.arktype, ({ city, days, unit }: Weather) => [city, days, unit]);
  holds(true satisfies Same<Infer<typeof libraries.zod>["days"], number>);
  holds(true satisfies Same<Infer<typeof libraries.valibot>["days"], number>);
  holds(true satisfies Same<Infer<typeof libraries.arktype>["days"], number>);
  holds(true satisfies Same<Infer<typeof libraries.zod>["unit"], "C" | "F" | undefined>);
  // @ts-expect-error: nobody declared it
  fits(libraries.zod, ({ country }) => country);
  // @ts-expect-error: nobody declared it
  fits(libraries.valibot, ({ country }) => country);
  // @ts-expect-error: nobody declared it
  fits(libraries.arktype, ({ country }) => country);
});

for (const [library, input] of Object.entries(libraries)) {
  test(`a tool by ${library} publishes a closed JSON Schema, validates, and refuses unknown arguments by name`, async () => {
    const server = createServer({ name: "t", version: "1" }).addTool({
      name: "weather",
      input,
      run: (args) => args,
    });
    const peer = await openPeer(server, "2025-11-25");
    const { inputSchema } = (await peer.request("tools/list")).result.tools[0];
    assert.equal(inputSchema.type, "object");
    assert.equal(inputSchema.additionalProperties, false);
    assert.deepEqual(Object.keys(inputSchema.properties).toSorted(), ["city", "days", "unit"]);
    assert.deepEqual(inputSchema.required, ["city"]);

    const call = async (args: object) =>
      (await peer.request("tools/call", { name: "weather", arguments: args })).result;
    assert.deepEqual(JSON.parse((await call({ city: "Oslo" })).content[0].text), {
      city: "Oslo",
      days: 1,
    });
    for (const args of [
      {},
      { city: 5 },
      { city: "Oslo", days: 1.5 },
      { city: "Oslo", unit: "K" },
    ]) {
      const { isError, content } = await call(args);
      assert.equal(isError, true);
      assert.match(content[0].text, /^Invalid arguments for weather: .+/);
    }
    const { content } = await call({ city: "Oslo", town: "Oslo" });
    const names = Object.keys(inputSchema.properties).map((name) => JSON.stringify(name));
    assert.equal(
      content[0].text,
      `Invalid arguments for weather: "town" is unknown, expected ${names.join(", ")}`,
    );
    const hostile = JSON.parse('{"city":"Oslo","__proto__":{"days":9}}');
    assert.match((await call(hostile)).content[0].text, /"__proto__" is unknown/);
  });
}

test("an open schema of a library stays open", async () => {
  const server = createServer({ name: "t", version: "1" }).addTool({
    name: "open",
    input: z.looseObject({ a: z.string() }),
    run: (args) => args,
  });
  const peer = await openPeer(server, "2025-11-25");
  const { result } = await peer.request("tools/call", {
    name: "open",
    arguments: { a: "x", b: 1 },
  });
  assert.equal(result.content[0].text, '{"a":"x","b":1}');
});

test("a check that takes its time, and one that throws", async () => {
  const reports: string[] = [];
  const slow = z.object({ a: z.string().refine(async (value) => value === "yes", "say yes") });
  const broken = z.object({
    a: z.string().refine(() => {
      throw new Error("secret");
    }),
  });
  const server = createServer({ name: "t", version: "1", report: (text) => reports.push(text) })
    .addTool({ name: "slow", input: slow, run: ({ a }) => a })
    .addTool({ name: "broken", input: broken, run: () => "" });
  const peer = await openPeer(server, "2025-11-25");
  assert.equal(
    (await peer.request("tools/call", { name: "slow", arguments: { a: "yes" } })).result.content[0]
      .text,
    "yes",
  );
  assert.match(
    (await peer.request("tools/call", { name: "slow", arguments: { a: "no" } })).result.content[0]
      .text,
    /"a": say yes/,
  );
  assert.deepEqual(
    (await peer.request("tools/call", { name: "broken", arguments: { a: "" } })).error,
    { code: -32603, message: "Internal error" },
  );
  assert.match(reports.join(), /secret/);
});

test("what an output schema of a library fills in is what leaves", async () => {
  const server = createServer({ name: "t", version: "1" }).addTool({
    name: "out",
    output: z.object({ a: z.string(), b: z.number().default(2) }),
    run: () => ({ a: "x" }) as { a: string; b: number },
  });
  const peer = await openPeer(server, "2026-07-28");
  const { content, structuredContent } = (await peer.request("tools/call", { name: "out" })).result;
  assert.deepEqual(structuredContent, { a: "x", b: 2 });
  assert.equal(content[0].text, '{"a":"x","b":2}');
});

test("a library that cannot describe itself is refused with a hint", () => {
  const bare = valibot.object({ a: valibot.string() }) as unknown as StandardSchema;
  assert.throws(
    () =>
      createServer({ name: "t", version: "1" }).addTool({
        name: "bare",
        input: bare,
        run: () => "",
      }),
    (thrown) => thrown instanceof UsageError && /toStandardJsonSchema/.test(thrown.hint ?? ""),
  );
  const odd = z.object({ when: z.date() });
  assert.throws(
    () =>
      createServer({ name: "t", version: "1" }).addTool({ name: "odd", input: odd, run: () => "" }),
    UsageError,
  );
});
