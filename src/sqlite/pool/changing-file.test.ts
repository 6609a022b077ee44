// A file that changes while it is open: each answer is of one committed state, a bad one is told of, a good one is read again.

import assert from "node:assert/strict";
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { makeOld, makeShedOf } from "../../../fixtures/sqlite/shed.ts";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import type { Value } from "../query.ts";

const sql = "SELECT count(*), max(a) FROM t";

function makeNumbers(count: number) {
  return makeShedOf(`
    CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO t SELECT i, printf('%.*c', 500, 'x') FROM n;
  `);
}

async function ask(database: Database): Promise<readonly Value[] | undefined> {
  const { rows } = await database.read((askOne) => askOne({ sql, maxRows: 1 }));
  return rows[0];
}

describe("a database that its owner writes", () => {
  for (const journal of ["DELETE", "TRUNCATE", "PERSIST", "WAL"])
    test(`in the mode ${journal} is read with all that was committed before the question`, async () => {
      using shed = makeNumbers(10);
      using writer = new DatabaseSync(shed.file);
      writer.exec(`PRAGMA journal_mode = ${journal}; PRAGMA synchronous = OFF`);
      await using database = await openDatabase({ path: shed.file });
      for (let count = 11; count < 60; count++) {
        writer.exec(`INSERT INTO t(b) VALUES ('new')`);
        assert.deepEqual(await ask(database), [count, count]);
      }
      writer.exec("BEGIN; DELETE FROM t"); // not yet true
      assert.deepEqual(await ask(database), [59, 59]);
      writer.exec("ROLLBACK");
      assert.deepEqual(await ask(database), [59, 59]);
    });

  test("and that rests again is read in place again", async () => {
    using shed = makeNumbers(10);
    await using database = await openDatabase({ path: shed.file });
    await ask(database);
    {
      using writer = new DatabaseSync(shed.file);
      writer.exec("INSERT INTO t(b) VALUES ('new')");
    }
    makeOld(shed.file);
    assert.deepEqual(await ask(database), [11, 11]);
    assert.equal(database.way, "in-place");
  });

  test("gives one read one state, though it is written between two of its questions", async () => {
    using shed = makeNumbers(10);
    using writer = new DatabaseSync(shed.file);
    await using database = await openDatabase({ path: shed.file });
    let runs = 0;
    const answers = await database.read(async (askOne) => {
      runs++;
      const first = await askOne({ sql, maxRows: 1 });
      if (runs === 1) writer.exec("INSERT INTO t(b) VALUES ('new')");
      return [first.rows, (await askOne({ sql, maxRows: 1 })).rows];
    });
    assert.deepEqual(answers, [[[11, 11]], [[11, 11]]]);
    assert.ok(runs > 1);
  });

  test("is read from a copy as it was for all of a read, whatever happens to it meanwhile", async () => {
    using shed = makeNumbers(10);
    using writer = new DatabaseSync(shed.file);
    writer.exec("PRAGMA journal_mode = WAL; INSERT INTO t(b) VALUES ('new')");
    await using database = await openDatabase({ path: shed.file });
    const seen: unknown[] = [];
    await database.read(async (askOne) => {
      seen.length = 0;
      for (let n = 0; n < 5; n++) {
        seen.push((await askOne({ sql, maxRows: 1 })).rows[0]);
        writer.exec("INSERT INTO t(b) VALUES ('new')");
        await ask(database); // others have seen newer states, and the copy of this one stays
      }
    });
    assert.deepEqual(new Set(seen.map(String)).size, 1);
  });
});

describe("a file", () => {
  test("that another is renamed over is read as the other", async () => {
    using shed = makeNumbers(10);
    using other = makeNumbers(20);
    await using database = await openDatabase({ path: shed.file });
    assert.deepEqual(await ask(database), [10, 10]);
    renameSync(other.file, shed.file);
    assert.deepEqual(await ask(database), [20, 20]);
  });

  test("whose folder's link is pointed elsewhere is read from there", async () => {
    using shed = makeNumbers(10);
    using other = makeNumbers(20);
    const link = join(shed.folder, "current");
    mkdirSync(join(shed.folder, "one"));
    copyFileSync(shed.file, join(shed.folder, "one", "main.db"));
    makeOld(join(shed.folder, "one", "main.db"));
    symlinkSync(join(shed.folder, "one"), link);
    await using database = await openDatabase({ path: join(link, "main.db") });
    assert.deepEqual(await ask(database), [10, 10]);
    unlinkSync(link);
    symlinkSync(other.folder, link);
    assert.deepEqual(await ask(database), [20, 20]);
    assert.equal(database.path, other.file);
  });

  const harms: readonly (readonly [name: string, harm: (file: string) => void, what: RegExp])[] = [
    ["deleted", (file) => rmSync(file), /there is no such file/],
    ["emptied", (file) => truncateSync(file, 0), /it is empty/],
    ["cut", (file) => truncateSync(file, 8192), /its end is missing|is damaged/],
    ["overwritten", (file) => writeFileSync(file, "x".repeat(100_000)), /it is no SQLite database/],
    [
      "replaced by a folder",
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
      /it is a directory/,
    ],
  ];
  for (const [name, harm, what] of harms)
    test(`that is ${name} is told of each time, without its path, and read again when it is good`, async () => {
      using shed = makeNumbers(500);
      const bytes = readFileSync(shed.file);
      await using database = await openDatabase({ path: shed.file });
      assert.deepEqual(await ask(database), [500, 500]);
      harm(shed.file);
      makeOld(shed.folder);
      for (let n = 0; n < 2; n++)
        await assert.rejects(ask(database), (thrown) => {
          assert.ok(thrown instanceof Error && "kind" in thrown);
          assert.match(String(thrown.kind), /^database-(?:unavailable|damaged)$/);
          assert.match(thrown.message, what);
          assert.ok(!thrown.message.includes(shed.folder));
          return true;
        });
      rmSync(shed.file, { recursive: true, force: true });
      writeFileSync(shed.file, bytes);
      assert.deepEqual(await ask(database), [500, 500]);
    });

  test("whose pages are garbage is told of, and nothing of the garbage", async () => {
    using shed = makeNumbers(500);
    const bytes = readFileSync(shed.file);
    await using database = await openDatabase({ path: shed.file });
    writeFileSync(
      shed.file,
      Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, "z")]),
    );
    await assert.rejects(ask(database), {
      kind: "database-damaged",
      message: "The database is damaged",
    });
    writeFileSync(shed.file, bytes);
    assert.deepEqual(await ask(database), [500, 500]);
  });
});
