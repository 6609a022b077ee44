// A path is a path, whatever a URI would make of it.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeOld, makeShed } from "../../../fixtures/sqlite/shed.ts";
import { openDatabase } from "../open-database.ts";

const names = [
  "a?mode=memory&vfs=none.db",
  "a#b.db",
  "a%20b%2fc%00.db",
  "a\nb\tc.db",
  "ä 👩 'q\" `.db",
  ":memory:",
  "file:a.db",
  "-a --b.db",
  "a\\b.db",
  "x".repeat(250),
];

test("every name of a file is read, and leaves its folder as it was", async () => {
  using shed = makeShed();
  const folder = join(shed.folder, "names");
  mkdirSync(folder);
  for (const name of names) {
    copyFileSync(shed.file, join(folder, name));
    makeOld(join(folder, name));
  }
  const before = readdirSync(folder);
  await Promise.all(
    names.map(async (name) => {
      await using database = await openDatabase({ path: join(folder, name) });
      const { rows } = await database.read((ask) =>
        ask({ sql: "SELECT count(*) FROM t", maxRows: 1 }),
      );
      assert.deepEqual([rows, database.way], [[[3]], "in-place"], name);
    }),
  );
  assert.deepEqual(readdirSync(folder), before);
});

test("a path of more than 512 characters is read", async () => {
  using shed = makeShed();
  const folder = join(shed.folder, ...Array<string>(4).fill("deep".repeat(60)));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "main.db");
  assert.ok(file.length > 900);
  copyFileSync(shed.file, file);
  makeOld(file);
  await using database = await openDatabase({ path: file });
  const { rows } = await database.read((ask) => ask({ sql: "SELECT count(*) FROM t", maxRows: 1 }));
  assert.deepEqual(rows, [[3]]);
});
