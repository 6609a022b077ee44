import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { scanJson } from "./scan-json.ts";

test("scanJson() finds the end of any JSON value, whatever the white space", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, "\t", "\r\n "), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      assert.deepEqual(scanJson(text), { kind: "value", end: text.length });
      assert.deepEqual(scanJson(`x ${text} \n`, 1), { kind: "value", end: text.length + 4 });
    }),
  );
});

test("scanJson() and JSON.parse agree on what is JSON, also where a text was spoilt", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...Array.from('{}[],:"\\0123456789+-.eE \t\r\n\u0000\u001f\u00a0\u2028\ufeffutrfalsn/b'),
    ),
    fc.string({ unit: "binary", maxLength: 3 }),
  );
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const spoilt = fc
    .tuple(fc.jsonValue(), place, fc.nat({ max: 3 }), piece)
    .map(([value, where, removed, inserted]) => {
      const text = JSON.stringify(value);
      const at = Math.floor(where * text.length);
      return text.slice(0, at) + inserted + text.slice(at + removed);
    });
  fc.assert(fc.property(spoilt, assertAgreement), { numRuns: 3_000 });
});

test("scanJson() and JSON.parse agree on texts made of JSON's own words", () => {
  const words = fc.constantFrom(
    ...Array.from('{}[],:"\\ -0159.eE+'),
    "true",
    "null",
    "tru",
    '"a"',
    '"\\u00e9"',
    "1",
  );
  const text = fc.array(words, { maxLength: 8 }).map((parts) => parts.join(""));
  fc.assert(fc.property(text, assertAgreement), { numRuns: 5_000 });
});

for (const text of ["0", "-0", "10", "1.5", "-1e5", "1E+05", "0.0e-0", "1e999"]) {
  test(`${text} is a number`, () =>
    assert.deepEqual(scanJson(text), { kind: "value", end: text.length }));
}

const beginnings: readonly (readonly [text: string, end: number])[] = [
  ["01", 1],
  ["1.", 1],
  ["1.e5", 1],
  ["1e", 1],
  ["1e+", 1],
  ["-01", 2],
  ["0x1", 1],
  ["1_000", 1],
  ["truex", 4],
  ["nullnull", 4],
  ["{} {}", 3],
];

for (const [text, end] of beginnings) {
  test(`${text} begins with a value of ${end} characters`, () => {
    assert.deepEqual(scanJson(text), { kind: "value", end });
    assert.throws(() => JSON.parse(text));
  });
}

const errors: readonly (readonly [text: string, at: number, expected: string])[] = [
  ["", 0, "a JSON value"],
  ["  ", 2, "a JSON value"],
  ["-", 0, "a JSON value"],
  ["+1", 0, "a JSON value"],
  [".5", 0, "a JSON value"],
  ["NaN", 0, "a JSON value"],
  ["True", 0, "a JSON value"],
  ["'a'", 0, "a JSON value"],
  ["\u00a01", 0, "a JSON value"],
  ["]", 0, "a JSON value"],
  ["[", 1, "a JSON value"],
  ["[,", 1, "a JSON value"],
  ["[1 2", 3, '"," or "]"'],
  ["[1}", 2, '"," or "]"'],
  ['{"a":1]', 6, '"," or "}"'],
  ["{1:2}", 1, "a key in double quotes"],
  ['{"a"}', 4, '":"'],
  ['{"a":}', 5, "a JSON value"],
  ['{"a":1,}', 7, "a key in double quotes"],
  ['{"a\n":1}', 3, "the control character written as an escape"],
  ['"a', 2, 'the closing "'],
  ['"\\', 1, "one of JSON's escapes"],
  ['"\\u12G4"', 1, "one of JSON's escapes"],
  ['"\\u123', 1, "one of JSON's escapes"],
  ['"\\\'"', 1, "one of JSON's escapes"],
  ['"\u001f"', 1, "the control character written as an escape"],
];

for (const [text, at, expected] of errors) {
  test(`${JSON.stringify(text)} stops being JSON at ${at}`, () => {
    assert.deepEqual(scanJson(text), { kind: "error", at, expected });
  });
}

test("every escape and every character from U+0020 stands in a string", () => {
  for (const text of ['"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uD800\\udfFF"', '"\u007f\u2028\ud800😀"'])
    assert.deepEqual(scanJson(text), { kind: "value", end: text.length });
});

test("a hundred thousand nested arrays do not fill the call stack", () => {
  const depth = 100_000;
  const open = "[".repeat(depth);
  const objects = '{"a":'.repeat(depth);
  const end = 2 * depth;
  assert.deepEqual(scanJson(open + "]".repeat(depth)), { kind: "value", end });
  assert.deepEqual(scanJson(open), { kind: "error", at: depth, expected: "a JSON value" });
  assert.deepEqual(scanJson(`${objects}1${"}".repeat(depth)}`), {
    kind: "value",
    end: 6 * depth + 1,
  });
});

function assertAgreement(text: string): void {
  const scan = scanJson(text);
  const isWhole = scan.kind === "value" && scan.end === text.length;
  assert.equal(isWhole, isJson(text), text);
  if (scan.kind === "value") assert.ok(isJson(text.slice(0, scan.end)), text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // that is the answer
  }
}
