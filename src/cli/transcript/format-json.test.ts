import assert from "node:assert/strict";
import { test } from "node:test";
import { formatJson } from "./format-json.ts";

const wide = { width: 100, maxLines: 10 } as const;

test("formatJson() keeps on one line what fits", () => {
  const value = { id: 0, empty: "", none: null, list: [1, [], {}], inner: { a: true } };
  const text =
    '{ "id": 0, "empty": "", "none": null, "list": [1, [], {}], "inner": { "a": true } }';
  assert.deepEqual(formatJson(value, wide), [text]);
  assert.deepEqual(JSON.parse(text), value);
});

test("formatJson() breaks what does not fit, and is the same JSON", () => {
  const value = {
    id: 1,
    result: { tools: [{ name: "echo", about: "Repeats the text" }, { name: "b" }] },
  };
  const lines = formatJson(value, { width: 40, maxLines: 20 });
  assert.deepEqual(lines, [
    '{ "id": 1,',
    '  "result": {',
    '    "tools": [',
    "      {",
    '        "name": "echo",',
    '        "about": "Repeats the text"',
    "      },",
    '      { "name": "b" }',
    "    ]",
    "  } }",
  ]);
  assert.deepEqual(JSON.parse(lines.join("\n")), value);
});

test("formatJson() stays within its width but for strings that are wider", () => {
  for (let width = 12; width < 120; width++) {
    const value = {
      a: [1, 2, 3],
      bb: { c: "dd", e: [{ f: 1 }, { g: 2 }] },
      h: [["i"], ["j", "k"]],
    };
    const lines = formatJson(value, { width, maxLines: 100 });
    assert.deepEqual(JSON.parse(lines.join("\n")), value);
    assert.ok(width < 24 || lines.every((line) => line.length <= width), lines.join("\n"));
  }
});

test("formatJson() shows one item of a list that is too long, and how many are left out", () => {
  const value = Array.from({ length: 30 }, (_, index) => ({
    name: `tool number ${index}`,
    about: "x".repeat(50),
  }));
  assert.deepEqual(formatJson(value, wide), [
    `[ { "name": "tool number 0", "about": "${"x".repeat(50)}" },`,
    "  … 29 more ]",
  ]);
});

test("formatJson() says how much it left out", () => {
  const value = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`${index}${"x".repeat(60)}`, index]),
  );
  const lines = formatJson(value, wide);
  assert.equal(lines.length, 10);
  assert.equal(lines.at(-1), `… 21 more lines; ${JSON.stringify(value).length} characters in all`);
  assert.deepEqual(formatJson("y".repeat(307), wide), [`"${"y".repeat(300)}" … 7 more characters`]);
  assert.deepEqual(formatJson("y".repeat(300), wide), [`"${"y".repeat(300)}"`]);
});

test("formatJson() puts words in place of a member", () => {
  const abbreviate = (key: string): string | undefined => (key === "_meta" ? "{ … }" : undefined);
  assert.deepEqual(formatJson({ _meta: { a: 1 }, b: 2 }, { ...wide, abbreviate }), [
    '{ "_meta": { … }, "b": 2 }',
  ]);
});

test("formatJson() shows nothing that a terminal acts upon", () => {
  const lines = formatJson({ "\u001B[2J": "\u009B31m\u202E\n" }, wide);
  assert.deepEqual(lines, [String.raw`{ "\u001b[2J": "\u009b31m\u202e\n" }`]);
});
