// docs/receipt.md shows what the commands print and write.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { renewReceiptPage } from "../scripts/receipt-doc.ts";
import { commandList } from "../src/cli/command-list.ts";
import { exitCodes } from "../src/cli/exit-codes.ts";

const page = readFileSync(new URL("../docs/receipt.md", import.meta.url), "utf8");

test(
  "the examples and limits of docs/receipt.md are what scripts/receipt-doc.ts makes",
  { skip: process.platform !== "linux" },
  async () => {
    assert.equal(page, await renewReceiptPage(page), "type: node scripts/receipt-doc.ts");
  },
);

test("every command that docs/receipt.md shows is one, and every exit code", () => {
  const shown = Array.from(page.matchAll(/\bgenkan ([a-z]+)/g), ([, name = ""]) => name);
  for (const name of shown) assert.ok(Object.hasOwn(commandList, name), name);
  const codes = Array.from(page.matchAll(/^\| (\d+) \|/gm), ([, code]) => Number(code));
  const known = new Set<number>(Object.values(exitCodes).map(({ code }) => code));
  assert.deepEqual(
    codes.filter((code) => !known.has(code)),
    [],
  );
  assert.equal(codes.length, 6);
});
