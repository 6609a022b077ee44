import assert from "node:assert/strict";
import { test } from "node:test";
import { writeName } from "./write-name.ts";

const names: readonly (readonly [bytes: string, written: string])[] = [
  ["shop.db", "shop.db"],
  ["商店 é.db", "商店 é.db"],
  ["a\\u{a}", "a\\\\u{a}"],
  ["a\nb", "a\\u{a}b"],
  ["a\u{202e}b\u{200d}\u{e0041}", "a\\u{202e}b\\u{200d}\\u{e0041}"],
  ["\u{feff}a", "\\u{feff}a"],
];

for (const [name, written] of names)
  test(`writeName() writes ${JSON.stringify(name)} as ${written}`, () => {
    assert.equal(writeName(Buffer.from(name)), written);
  });

test("writeName() writes no two names alike, whatever bytes they have", () => {
  const written = new Set<string>();
  for (let byte = 0; byte < 256; byte++) {
    written.add(writeName(Uint8Array.of(byte)));
    written.add(writeName(Uint8Array.of(0xff, byte)));
    written.add(writeName(Buffer.from(String.fromCodePoint(byte + 0x80))));
    written.add(writeName(Buffer.from(`\\u{${byte.toString(16)}}`)));
    written.add(writeName(Buffer.from(`\\{${byte.toString(16)}}`)));
  }
  assert.equal(written.size, 5 * 256);
});
