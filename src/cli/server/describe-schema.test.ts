import assert from "node:assert/strict";
import { test } from "node:test";
import { describeSchema } from "./describe-schema.ts";

for (const [schema, expected] of [
  [{ type: "string" }, "string"],
  [{ type: ["string", "null"] }, "string|null"],
  [{ type: "array", items: { type: "integer" } }, "integer[]"],
  [{ type: "array", items: { type: ["integer", "null"] } }, "(integer|null)[]"],
  [{ type: "array" }, "array"],
  [{ enum: ["a", 1, null, false] }, '"a"|1|null|false'],
  [{ enum: ["a", "b", "c", "d", "e", "f", "g", "h"] }, '"a"|"b"|"c"|"d"|"e"|"f"|…2 more'],
  [{ const: "" }, '""'],
  [{ anyOf: [{ type: "string" }, { type: "string" }, { type: "number" }] }, "string|number"],
  [{ $ref: "#/$defs/Order" }, "Order"],
  [{ properties: {} }, "object"],
  [{}, "any"],
  [true, "any"],
  [null, "any"],
  [{ type: "\u001B[31mred" }, "red"],
] as const) {
  test(`describeSchema() names ${JSON.stringify(schema)}`, () => {
    assert.equal(describeSchema(schema), expected);
  });
}

test("describeSchema() comes to an end in arrays of arrays", () => {
  const schema: { type: string; items?: unknown } = { type: "array" };
  schema.items = schema;
  assert.equal(describeSchema(schema), "any[][][][]");
});
