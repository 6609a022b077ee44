import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { canonicalJson } from "./canonical-json.ts";

describe("canonicalJson()", () => {
  test("writes the example of RFC 8785, section 3.2.2", () => {
    const value: unknown = JSON.parse(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`);
    assert.equal(
      canonicalJson(value),
      `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"}`,
    );
  });

  test("sorts members by UTF-16 code units, as section 3.2.3 shows", () => {
    const value = {
      "\u20ac": 1,
      "\r": 2,
      "\ufb33": 3,
      "1": 4,
      "\u{1f600}": 5,
      "\u0080": 6,
      "\u00f6": 7,
    };
    const order = Object.values(value).toSorted((a, b) => a - b);
    assert.equal(order.length, 7);
    assert.equal(canonicalJson(value), `{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}`);
  });

  test("leaves out what is undefined, and writes -0 as 0", () => {
    assert.equal(canonicalJson({ b: undefined, a: -0 }), `{"a":0}`);
  });

  test("refuses what JSON does not have", () => {
    for (const value of [NaN, Infinity, undefined, 1n, [undefined], { a: () => 1 }])
      assert.throws(() => canonicalJson(value), /^UsageError: Cannot write ".*" as JSON/);
  });

  test("is the same for every order of members, and reads back as the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        const plain: unknown = JSON.parse(JSON.stringify(value)); // -0 becomes 0
        assert.deepEqual(JSON.parse(text), plain);
        assert.equal(canonicalJson(reverse(value)), text);
      }),
    );
  });
});

function reverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverse);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, reverse(member)] as const);
  return Object.fromEntries(entries.toReversed());
}
