import assert from "node:assert/strict";
import { test } from "node:test";
import { createRecord, describeValue, isObject, isStringArray, jsonTypeOf } from "./json.ts";
import { isAtLeast, isLoggingLevel, loggingLevels } from "./logging.ts";

test("isObject() is true for objects, and not for null or arrays", () => {
  assert.equal(isObject({}), true);
  for (const value of [null, [], "", 0, undefined]) assert.equal(isObject(value), false);
});

test("createRecord() has what it was given and nothing else, whatever the names", () => {
  const record = createRecord([
    ["__proto__", 1],
    ["a", 2],
  ]);
  for (const name of Object.getOwnPropertyNames(Object.prototype))
    assert.equal(record[name], name === "__proto__" ? 1 : undefined);
  assert.equal(JSON.stringify(record), '{"__proto__":1,"a":2}');
});

test("isStringArray() asks every element", () => {
  for (const value of [[], [""], ["a", "b"]]) assert.equal(isStringArray(value), true);
  for (const value of [["a", 1], [null], "a", { 0: "a", length: 1 }])
    assert.equal(isStringArray(value), false);
});

const values: readonly (readonly [text: string, type: string, description: string])[] = [
  ["null", "null", "null"],
  ["[1]", "array", "an array"],
  ["{}", "object", "an object"],
  ["0", "number", "the number 0"],
  ["false", "boolean", "the boolean false"],
  ['""', "string", 'the string ""'],
  [`"${"x".repeat(40)}"`, "string", `the string "${"x".repeat(40)}"`],
  [`"${"x".repeat(41)}"`, "string", "a string of 41 characters"],
];

for (const [text, type, description] of values) {
  test(`${text} is of type ${type} and shown as ${description}`, () => {
    assert.equal(jsonTypeOf(JSON.parse(text)), type);
    assert.equal(describeValue(JSON.parse(text)), description);
  });
}

test("what JSON does not have is described too", () => {
  for (const [value, text] of [
    [NaN, "the number NaN"],
    [-Infinity, "the number -Infinity"],
    [10n, "the bigint 10"],
    [Symbol("s"), "a symbol"],
    [() => {}, "a function"],
  ] as const)
    assert.equal(describeValue(value), text);
});

test("what is not there is described as absent", () => {
  assert.equal(describeValue(undefined), "absent");
});

test("the log levels stand in the order of RFC 5424", () => {
  assert.deepEqual(loggingLevels, [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
  ]);
  for (const [index, level] of loggingLevels.entries()) {
    assert.equal(isLoggingLevel(level), true);
    for (const [other, minimum] of loggingLevels.entries())
      assert.equal(isAtLeast(level, minimum), index >= other, `${level} ≥ ${minimum}`);
  }
  for (const value of ["", "DEBUG", "trace", 0, null, undefined])
    assert.equal(isLoggingLevel(value), false);
});

test("describeValue() lets nothing through that a terminal acts upon", () => {
  assert.equal(describeValue("\u009b31m\u202e\u061c"), 'the string "\\u009b31m\\u202e\\u061c"');
  assert.equal(describeValue("\u001b[31m"), 'the string "\\u001b[31m"');
});
