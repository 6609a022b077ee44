import assert from "node:assert/strict";
import { test } from "node:test";
import { maxArgumentBytes, readArguments } from "./read-arguments.ts";

const example = "genkan call echo";

/** A stdin that brings these pieces. */
async function* bring(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === "string" ? Buffer.from(piece) : piece;
}

test("readArguments() gives no arguments where there is no text, and reads no stdin", async () => {
  assert.deepEqual(await readArguments(undefined, bring("{"), example), {});
  assert.deepEqual(await readArguments("{}", bring("{"), example), {});
});

test("readArguments() joins a character that stdin brings in two pieces", async () => {
  const bytes = Buffer.from('{"name":"佐藤"}');
  const stdin = bring(bytes.subarray(0, 10), bytes.subarray(10));
  assert.deepEqual(await readArguments("-", stdin, example), { name: "佐藤" });
});

for (const [text, reason] of [
  ["", "they end at column 1, expected a JSON value"],
  ["{", "they end at column 2, expected a key in double quotes"],
  ["{} {}", '"{}" stands at column 4, expected the end'],
  ["{'a':1}", `"'a':1}" stands at column 2, expected a key in double quotes`],
  ["null", "they are null, expected a JSON object"],
  ["0", "they are the number 0, expected a JSON object"],
] as const) {
  test(`readArguments() refuses ${JSON.stringify(text)}`, async () => {
    await assert.rejects(readArguments(text, bring(), example), {
      name: "UsageError",
      message: `Cannot read the arguments: ${reason}`,
      hint: `genkan call echo '{"name":"value"}' -- <command>`,
    });
  });
}

for (const [length, isTaken] of [
  [maxArgumentBytes - 1, true],
  [maxArgumentBytes, true],
  [maxArgumentBytes + 1, false],
] as const) {
  test(`readArguments() ${isTaken ? "takes" : "refuses"} ${length} bytes of stdin`, async () => {
    const reading = readArguments("-", bring("{}", Buffer.alloc(length - 2, " ")), example);
    if (isTaken) assert.deepEqual(await reading, {});
    else await assert.rejects(reading, { name: "UsageError", code: "too-long" });
  });
}
