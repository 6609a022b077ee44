import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { findInvalidUtf8 } from "./utf8.ts";

// The first and last byte of every row and column of RFC 3629's table, and their neighbours.
const edges = [
  0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
  0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
];
const tails = [0x7f, 0x80, 0xbf, 0xc0];

test("findInvalidUtf8() agrees with TextDecoder on each of the 256 bytes", () => {
  for (let byte = 0; byte < 256; byte++) assertAgreement([byte]);
});

test("findInvalidUtf8() agrees with TextDecoder on every edge of RFC 3629", () => {
  for (const first of edges) {
    for (const second of edges) {
      assertAgreement([first, second]);
      for (const third of tails) {
        assertAgreement([first, second, third]);
        for (const fourth of tails) assertAgreement([first, second, third, fourth]);
      }
    }
  }
});

test("findInvalidUtf8() agrees with TextDecoder on any bytes", () => {
  const byte = fc.oneof(fc.constantFrom(...edges), fc.nat({ max: 255 }));
  fc.assert(fc.property(fc.array(byte, { maxLength: 12 }), assertAgreement), { numRuns: 2_000 });
});

test("findInvalidUtf8() agrees with TextDecoder on text with one wrong byte", () => {
  const spoilt = fc
    .tuple(fc.string({ unit: "grapheme", minLength: 1 }), fc.nat(), fc.constantFrom(...edges))
    .map(([text, place, byte]) => {
      const bytes = Array.from(new TextEncoder().encode(text));
      bytes[place % bytes.length] = byte;
      return bytes;
    });
  fc.assert(fc.property(spoilt, assertAgreement), { numRuns: 1_000 });
});

const examples: readonly (readonly [name: string, bytes: string, at: number])[] = [
  ["text", "e6bca220f09f9880", -1],
  ["Latin-1", "636166e921", 3],
  ["Shift-JIS", "7b228abf8e9a227d", 2],
  ["a continuation byte alone", "6180", 1],
  ["an overlong slash of two bytes", "c0af", 0],
  ["an overlong slash of three bytes", "e080af", 0],
  ["an overlong slash of four bytes", "f08080af", 0],
  ["a surrogate", "61eda080", 1],
  ["what is beyond U+10FFFF", "f4908080", 0],
  ["a character cut short by the next", "e6bc41", 0],
  ["a character cut short by the end", "41f09f98", 1],
  ["UTF-16", "fffe7b00", 0],
];

for (const [name, bytes, at] of examples) {
  test(`findInvalidUtf8() finds ${name} at ${at}`, () => {
    assert.equal(findInvalidUtf8(Buffer.from(bytes, "hex")), at);
  });
}

/** The oracle: the longest beginning that TextDecoder takes ends where the first wrong sequence begins. */
function assertAgreement(values: readonly number[]): void {
  const bytes = Uint8Array.from(values);
  let valid = bytes.length;
  while (!isText(bytes.subarray(0, valid))) valid--;
  const expected = valid === bytes.length ? -1 : valid;
  assert.equal(findInvalidUtf8(bytes), expected, Buffer.from(bytes).toString("hex"));
}

function isText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false; // that is the answer
  }
}
