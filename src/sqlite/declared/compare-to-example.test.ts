import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compareToExample } from "./compare-to-example.ts";
import type { Expectation } from "./declaration.ts";

const envelope = {
  code: "ok",
  message: "",
  data: {
    columns: ["id", "name"],
    items: [
      { id: 1, name: "Ann" },
      { id: 2, name: null },
    ],
    count: 2,
  },
};

/** What is expected of two rows, and what is said of it. */
const rows: readonly (readonly [expect: Expectation, ...sentences: string[]])[] = [
  [{}],
  [{ code: "ok", count: 2, columns: ["id", "name"] }],
  [{ rows: [{ id: 1, name: "Ann" }, { id: 2, name: null }] }],
  [{ rows: [{}, { name: null }] }],
  [{ count: 0 }, "it gave 2 rows, expected 0"],
  [{ columns: ["name", "id"] }, 'its columns are ["id","name"], expected ["name","id"]'],
  [{ rows: [{ id: "1" }, {}] }, 'its row 1 has the "id" 1, expected "1"'],
  [{ rows: [{}, { name: "None" }] }, 'its row 2 has the "name" null, expected "None"'],
  [{ rows: [{}, { nmae: null }] }, 'its row 2 has no column "nmae", did you mean "name"?'],
  [{ rows: [{ id: 1 }] }, 'it gave 2 rows, expected 1: {"id":2,"name":null} is one too many'],
  [{ rows: [{}, {}, { id: 3 }] }, 'it gave 2 rows, expected 3: {"id":3} is missing'],
  [{ code: "tool_failed" }, 'it ended with "ok", expected "tool_failed"'],
  [
    { columns: [], count: 1 },
    'its columns are ["id","name"], expected []',
    "it gave 2 rows, expected 1",
  ],
]; // prettier-ignore

describe("compareToExample()", () => {
  for (const [expect, ...sentences] of rows)
    test(JSON.stringify(expect), () =>
      assert.deepEqual(compareToExample(expect, envelope), sentences),
    );

  test("a failure is told with its message", () => {
    const failed = { code: "tool_failed", message: "no luck", data: null };
    assert.deepEqual(compareToExample({ count: 0 }, failed), [
      'it ended with "tool_failed": no luck, expected "ok"',
    ]);
  });

  test("blobs are compared by what is said of them", () => {
    const blob = { blob_bytes: 1, sha256: "a" };
    const given = { code: "ok", data: { items: [{ b: blob }] } };
    assert.deepEqual(
      compareToExample({ rows: [{ b: { sha256: "a", blob_bytes: 1 } }] }, given),
      [],
    );
    assert.equal(compareToExample({ rows: [{ b: { sha256: "a" } }] }, given).length, 1);
  });
});
