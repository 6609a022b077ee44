import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { openShelf } from "../../../fixtures/shelf.ts";
import { withReceipt } from "./with-receipt.ts";

test(
  "an error of the work is thrown on, also where the receipt cannot be finished after it",
  { skip: process.platform === "win32" },
  async () => {
    using shelf = openShelf();
    const told: string[] = [];
    const file = shelf.place("temporary/receipt.json");
    const wish = { file, databases: [shelf.database], report: (text: string) => told.push(text) };
    const failing = withReceipt(wish, async () => {
      renameSync(shelf.temporary, shelf.place("away"));
      await Promise.reject(new Error("the first"));
    });
    await assert.rejects(failing, { message: "the first" });
    assert.match(told.join("\n"), /^Cannot finish the receipt ".+", after another error: Cannot /);
  },
);
