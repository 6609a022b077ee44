// docs/sqlite.md tells the truth: its tables are made from the code, and what it declares is served.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { buildShop } from "../examples/shop/database.ts";
import { genkan } from "../fixtures/command-line.ts";
import { renewSqlitePage } from "../scripts/sqlite-doc.ts";

const file = new URL("../docs/sqlite.md", import.meta.url);
const page = readFileSync(file, "utf8");

test("the tables of docs/sqlite.md are what scripts/sqlite-doc.ts makes", async () => {
  assert.equal(await renewSqlitePage(page), page, "type: node scripts/sqlite-doc.ts");
});

test("what docs/sqlite.md and the README declare is what `genkan check` takes", async () => {
  const readme = readFileSync(new URL("../README.md", file), "utf8");
  for (const text of [page, readme]) await checkFirst(text);
});

async function checkFirst(text: string): Promise<void> {
  const [, yaml = ""] = /```yaml\n(name.*?)```/s.exec(text) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "genkan-doc-"));
  try {
    buildShop(join(folder, "shop.db"));
    writeFileSync(join(folder, "genkan.yaml"), yaml);
    const { code, stdout, stderr } = await genkan("check", join(folder, "genkan.yaml"));
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /1 of 1 gave what they should/);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("every file that docs/sqlite.md points to is there", () => {
  const paths = [...page.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(
    ([, path = ""]) => path,
  );
  assert.ok(paths.length >= 4);
  for (const path of paths) assert.ok(existsSync(new URL(path, file)), path);
});
