import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createDatabase } from "./create-database.ts";

test("a new database is one file while it is filled, and none where that fails", () => {
  const folder = mkdtempSync(join(tmpdir(), "genkan-create-"));
  try {
    for (const fails of [false, true]) {
      const path = join(folder, `${fails}.db`);
      const create = (): void =>
        createDatabase(path, (database) => {
          database.exec("INSERT INTO keywords (keyword) VALUES ('green tea')");
          assert.equal(readdirSync(folder).filter((name) => name.startsWith(`${fails}`)).length, 1);
          if (fails) throw new Error("no more");
        });
      if (fails) assert.throws(create, /no more/);
      else create();
    }
    assert.deepEqual(readdirSync(folder), ["false.db"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a folder that is not there is told of, with what makes it", () => {
  assert.throws(() => createDatabase(join(tmpdir(), "none here", "aio.db"), () => {}), {
    code: "cannot-write",
    message: /: its folder is not there, expected one$/,
    hint: /^mkdir -p '.+none here'$/,
  });
});
