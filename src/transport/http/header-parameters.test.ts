import assert from "node:assert/strict";
import { test } from "node:test";
import { listHeaderParameters, readParameter } from "./header-parameters.ts";

const of = (properties: object, more: object = {}) =>
  listHeaderParameters({ type: "object", properties, ...more });
const text = (name: unknown) => ({ type: "string", "x-mcp-header": name });

test("listHeaderParameters() finds them along chains of properties", () => {
  const found = of({
    region: text("Region"),
    deep: {
      type: "object",
      properties: { flag: { type: ["boolean", "null"], "x-mcp-header": "F" } },
    },
    plain: { type: "string" },
  });
  assert.deepEqual(found, {
    parameters: [
      { header: "mcp-param-region", path: ["region"], type: "string" },
      { header: "mcp-param-f", path: ["deep", "flag"], type: "boolean" },
    ],
  });
});

test("listHeaderParameters() takes a property of that name, and data that looks like one, for what they are", () => {
  const found = of({
    "x-mcp-header": { type: "string" },
    a: { type: "object", default: { "x-mcp-header": "No" }, examples: [{ "x-mcp-header": 1 }] },
  });
  assert.deepEqual(found, { parameters: [] });
});

const faulty: readonly (readonly [what: string, found: ReturnType<typeof of>, issue: RegExp])[] = [
  ["an empty name", of({ a: text("") }), /the string ""/],
  ["a name with a space", of({ a: text("a b") }), /expected the name of a header/],
  ["a name with a line break", of({ a: text("a\r\nb") }), /expected the name of a header/],
  ["a name that is a number", of({ a: text(1) }), /the number 1/],
  ["the same name twice", of({ a: text("X"), b: text("x") }), /stands there twice/],
  ["type number", of({ a: { type: "number", "x-mcp-header": "A" } }), /expected string, integer/],
  ["no type", of({ a: { "x-mcp-header": "A" } }), /is absent/],
  ["two types", of({ a: { type: ["string", "integer"], "x-mcp-header": "A" } }), /an array/],
  ["items", of({ a: { type: "array", items: text("A") } }), /a plain chain/],
  ["anyOf", of({ a: { anyOf: [text("A")] } }), /a plain chain/],
  ["$defs", of({}, { $defs: { a: text("A") } }), /a plain chain/],
  [
    "properties below items",
    of({ a: { items: { properties: { b: text("B") } } } }),
    /a plain chain/,
  ],
  ["the root", of({}, { "x-mcp-header": "A" }), /a plain chain/],
  ["patternProperties", of({}, { patternProperties: { "^a": text("A") } }), /a plain chain/],
];
for (const [what, found, issue] of faulty)
  test(`listHeaderParameters() refuses ${what}`, () => {
    assert.match("issue" in found ? found.issue : "", issue);
  });

test("readParameter() reads along the path, and only what the arguments own", () => {
  assert.equal(readParameter({ a: { b: 0 } }, ["a", "b"]), 0);
  assert.equal(readParameter({ a: { b: "" } }, ["a", "b"]), "");
  assert.equal(readParameter({ a: null }, ["a"]), undefined);
  assert.equal(readParameter({ a: 1 }, ["a", "b"]), undefined);
  assert.equal(readParameter({}, ["constructor"]), undefined);
  assert.equal(readParameter(undefined, ["a"]), undefined);
});
