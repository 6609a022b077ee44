import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findDuplicate } from "./unique-items.ts";
import { compileValidator } from "./validator.ts";

const dialects = [
  "https://json-schema.org/draft/2020-12/schema",
  "http://json-schema.org/draft-07/schema#",
];

describe("uniqueItems", () => {
  for (const [text, pair] of [
    ["[]", undefined],
    ["[1,2,3]", undefined],
    ["[1,2,1.0]", [0, 2]],
    ["[0,-0.0]", [0, 1]],
    ['[1,"1",true,"true",null,"null",0,false,""]', undefined],
    ['["a","b","b"]', [1, 2]],
    ["[null,null]", [0, 1]],
    ["[[],[]]", [0, 1]],
    ["[{},[]]", undefined],
    ['["{}",{},"[]",[]]', undefined],
    ['[{"a":1,"b":2},{"b":2,"a":1}]', [0, 1]],
    ['[{"a":1,"b":2},{"a":2,"b":1}]', undefined],
    ['[{"a":{"c":1,"b":[{"y":1,"x":2}]}},{"a":{"b":[{"x":2,"y":1}],"c":1}}]', [0, 1]],
    ["[[1,2],[2,1]]", undefined],
    ["[[1],[1e0]]", [0, 1]],
    ['[{"__proto__":1},{}]', undefined],
    ['[{"__proto__":1},{"__proto__":1}]', [0, 1]],
    ['[{"10":1,"9":2},{"9":2,"10":1}]', [0, 1]],
    ["[1e400,null]", undefined],
    ["[[1e400],[null]]", undefined],
    ["[[1e400],[-1e400]]", undefined],
    ["[[1e400],[1e400]]", [0, 1]],
  ] as const) {
    test(`of ${text}: ${pair === undefined ? "unique" : `${pair.join(" and ")} are the same`}`, async () => {
      const items: unknown[] = JSON.parse(text);
      assert.deepEqual(findDuplicate(items), pair);
      for (const $schema of dialects) {
        const { fits, explain } = await compileValidator({ $schema, uniqueItems: true }, false);
        assert.equal(fits(items), pair === undefined);
        if (pair === undefined) continue;
        assert.deepEqual(explain(items), [
          `the value must NOT have duplicate items (items ## ${pair.join(" and ")} are identical)`,
        ]);
      }
    });
  }

  test("that is false, or of what is no list, lets everything through", async () => {
    for (const $schema of dialects) {
      const { fits } = await compileValidator({ $schema, uniqueItems: false }, false);
      assert.equal(fits([1, 1]), true);
      const wanted = await compileValidator({ $schema, uniqueItems: true }, false);
      assert.equal(wanted.fits({ 0: 1, 1: 1, length: 2 }), true);
    }
  });

  test("looks at each item once", () => {
    let looks = 0;
    const items = Array.from({ length: 2000 }, (_, index) =>
      Object.defineProperty({}, "a", { enumerable: true, get: () => (looks++, index) }),
    );
    assert.equal(findDuplicate(items), undefined);
    assert.equal(looks, items.length);
  });
});
