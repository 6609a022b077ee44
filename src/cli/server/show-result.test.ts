import assert from "node:assert/strict";
import { test } from "node:test";
import { showJson, showResult } from "./show-result.ts";

test("showResult() shows texts as they are, and all else in one line", () => {
  const text = showResult({
    content: [
      { type: "text", text: "one\n\ttwo" },
      { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
      { type: "audio", data: "", mimeType: "audio/wav" },
      { type: "resource_link", uri: "file:///a", name: "A", mimeType: "text/plain" },
      { type: "resource", resource: { uri: "file:///b", text: "inner" } },
      { type: "resource", resource: { uri: "file:///c", blob: "aGk=", mimeType: "a/b" } },
    ],
    structuredContent: { one: 1 },
  });
  assert.deepEqual(text.split("\n"), [
    "one",
    "\ttwo",
    "[image image/png, 5 bytes]",
    "[audio audio/wav, 0 bytes]",
    "[resource file:///a text/plain, A]",
    "[resource file:///b]",
    "inner",
    "[resource file:///c a/b, 2 bytes]",
  ]);
});

test("showResult() shows structured content where there is no text", () => {
  assert.equal(showResult({ content: [], structuredContent: [1] }), "[\n  1\n]");
  assert.equal(showResult({ content: [], structuredContent: 0 }), "0");
  assert.equal(showResult({ content: [{ type: "text", text: "" }], structuredContent: 0 }), "");
  assert.equal(showResult({ content: [] }), "");
});

test("showResult() lets nothing through that a terminal acts upon", () => {
  const text = "\u001B[2Ja\u009Bb\u202Ec\rd";
  assert.equal(showResult({ content: [{ type: "text", text }] }), String.raw`a\x9bb\u202ec\rd`);
  const mimeType = "\u001B]0;title\u0007image/png\n";
  const image = showResult({ content: [{ type: "image", data: "", mimeType }] });
  assert.equal(image, String.raw`[image image/png\n, 0 bytes]`);
});

test("showResult() keeps the joiners of emoji and scripts", () => {
  const text = "👩‍🚀 می‌روم";
  assert.equal(showResult({ content: [{ type: "text", text }] }), text);
});

test("showJson() escapes what JSON lets pass and a terminal acts upon, and stays the same document", () => {
  const value = { text: "\u009B31m\u202E\u007F\u2028" };
  assert.equal(showJson(value), '{\n  "text": "\\u009b31m\\u202e\\u007f\\u2028"\n}');
  assert.deepEqual(JSON.parse(showJson(value)), value);
});
