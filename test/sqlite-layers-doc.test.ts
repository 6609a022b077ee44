// The tables of docs/sqlite-layers.md are what the layers do.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { renewLayersPage } from "../scripts/sqlite-layers-doc.ts";

const page = readFileSync(new URL("../docs/sqlite-layers.md", import.meta.url), "utf8");

test("which layer alone stops what is as docs/sqlite-layers.md says", async () => {
  assert.equal(await renewLayersPage(page), page, "type: node scripts/sqlite-layers-doc.ts");
});
