import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeJson, showControls, toPrintable, toPrintableLines } from "./terminal-text.ts";

test("toPrintable() strips sequences, shows controls and cuts", () => {
  assert.equal(
    toPrintable("\u001b[31mred\u001b[0m \u001b]0;title\u0007x\u0000\u202e\t\r\n", 100),
    "red x\\x00\\u202e \\r\\n",
  );
  assert.equal(toPrintable("abcdef", 3), "abc…");
  assert.equal(toPrintable("abc", 3), "abc");
  assert.equal(toPrintable("", 0), "");
});

test("toPrintable() cuts no character in half", () => {
  assert.equal(toPrintable("ab😀cd", 3), "ab…");
  assert.equal(toPrintable("ab😀cd", 4), "ab😀…");
});

test("toPrintableLines() keeps line ends and tabs, and no other controls", () => {
  const text = "a\u001B[31mb\u001B]0;title\u0007c\u0007\td\r\ne\rf";
  assert.equal(toPrintableLines(text), "abc\\x07\td\r\ne\\rf");
});

test("showControls() strips nothing", () => {
  assert.equal(showControls("\u001B[2J\n\u202E😀"), "\\x1b[2J\\x0a\\u202e😀");
});

test("escapeJson() gives the same document", () => {
  const value = { text: "\u009B31m\u202E\u007F\u2028\uFEFFü😀" };
  const escaped = escapeJson(JSON.stringify(value, undefined, 2));
  assert.equal(escaped, '{\n  "text": "\\u009b31m\\u202e\\u007f\\u2028\\ufeffü😀"\n}');
  assert.deepEqual(JSON.parse(escaped), value);
});

for (const code of [
  0x00, 0x1f, 0x7f, 0x9f, 0x061c, 0x200b, 0x200e, 0x200f, 0x2028, 0x202e, 0x2060, 0x2069, 0xfeff,
]) {
  const character = String.fromCharCode(code);
  test(`U+${code.toString(16)} reaches no terminal, in whatever way a text is shown`, () => {
    for (const shown of [
      toPrintable(character, 9),
      toPrintableLines(character),
      showControls(character),
      escapeJson(JSON.stringify(character)),
    ])
      assert.doesNotMatch(shown, /[^\x20-\x7e]/, shown);
  });
}

for (const text of ["ü", "\u00A0", "👩‍🚀 می‌روم", "\u2027\u202F\u205F\u206A", "佐藤"]) {
  test(`${JSON.stringify(text)} is shown as it is`, () => {
    assert.equal(toPrintable(text, 99), text);
    assert.equal(toPrintableLines(text), text);
    assert.equal(showControls(text), text);
    assert.equal(escapeJson(text), text);
  });
}
