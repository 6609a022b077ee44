import assert from "node:assert/strict";
import { test } from "node:test";
import { assert as check, property, string } from "fast-check";
import { decodeHeaderValue, encodeHeaderValue } from "./header-value.ts";

const examples = [
  ["us-west1", "us-west1"],
  ["a b\tc", "a b\tc"],
  ["", ""],
  ["Grüße", "=?base64?R3LDvMOfZQ==?="],
  [" padded", "=?base64?IHBhZGRlZA==?="],
  ["a\r\nInjected: b", "=?base64?YQ0KSW5qZWN0ZWQ6IGI=?="],
  ["=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
  ["=?base64?", "=?base64?"],
] as const;

for (const [value, header] of examples)
  test(`encodeHeaderValue(${JSON.stringify(value)})`, () => {
    assert.equal(encodeHeaderValue(value), header);
    assert.equal(decodeHeaderValue(header), value);
  });

for (const header of [
  "é",
  "a\nb",
  "a\0",
  "=?base64?YQ?=",
  "=?base64?Y Q==?=",
  "=?base64?YQ=?=",
  "=?base64?_w==?=",
  "=?base64?/w==?=",
])
  test(`decodeHeaderValue() refuses ${JSON.stringify(header)}`, () => {
    assert.equal(decodeHeaderValue(header), undefined);
  });

test("any text comes back as it was, and travels as visible ASCII", () => {
  check(
    property(string({ unit: "grapheme" }), (text) => {
      const header = encodeHeaderValue(text);
      assert.match(header, /^[\t\x20-\x7e]*$/);
      assert.equal(header.trim(), header);
      assert.equal(decodeHeaderValue(header), text);
    }),
    { numRuns: 300 },
  );
});
