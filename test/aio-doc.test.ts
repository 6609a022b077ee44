// docs/aio-probe.md is what the code says, and its examples are what the tools answer.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { renewAioPage } from "../scripts/aio-doc.ts";
import { defaultBuckets } from "../src/aio/index.ts";
import { leastUsedPercent } from "../src/aio/rates.ts";

const page = readFileSync(new URL("../docs/aio-probe.md", import.meta.url), "utf8");

test("the schema, the tables and the answers of docs/aio-probe.md are what scripts/aio-doc.ts makes", async () => {
  assert.equal(page, await renewAioPage(page), "type: node scripts/aio-doc.ts");
});

test("docs/aio-probe.md names the buckets and the threshold that hold", () => {
  const words = page.replaceAll(/\s+/g, " ");
  assert.ok(words.includes(defaultBuckets.map((name) => `\`${name}\``).join(", ")));
  assert.ok(words.includes(`\`n_used\` is less than ${leastUsedPercent} % of \`n_targets\``));
});
