import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { findExpected } from "./schema-keywords.ts";

const values = [
  null,
  true,
  0,
  1,
  -1,
  0.5,
  "",
  "x",
  [],
  ["a"],
  [1],
  [{}],
  [true, { type: "string" }],
  {},
  { a: {} },
  { a: false },
  { a: 1 },
];

// prettier-ignore
const keywords = [
  "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf", "maxLength", "minLength", "maxItems", "minItems",
  "maxContains", "minContains", "maxProperties", "minProperties", "uniqueItems", "required", "enum", "allOf", "anyOf", "oneOf",
  "prefixItems", "additionalProperties", "contains", "else", "if", "not", "propertyNames", "then", "unevaluatedItems",
  "unevaluatedProperties", "$defs", "dependentSchemas", "patternProperties", "properties", "title", "x-of-somebody",
];

const ajv = new Ajv2020({ strict: false, logger: false });

for (const keyword of keywords)
  test(`"${keyword}" may have the values that the schema of schemas gives it`, () => {
    for (const value of values.filter((each) => keyword !== "title" || typeof each === "string")) {
      const isRight = ajv.validateSchema({ [keyword]: value });
      assert.equal(findExpected(keyword, value) === undefined, isRight, JSON.stringify(value));
    }
  });

test('"items" may also be several schemas, as in draft-07', () => {
  assert.equal(findExpected("items", {}), undefined);
  assert.equal(findExpected("items", [{}, true]), undefined);
  assert.equal(findExpected("items", "x"), "a schema");
});
