import assert from "node:assert/strict";
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import * as fc from "fast-check";
import { undoChange } from "./journal.ts";

const folder = mkdtempSync(join(tmpdir(), "genkan-journal-"));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});
const left = join(folder, "left.db");

/** Leaves a database and its journal as a program would that dies in the middle of this change; gives the bytes from before. */
function leave(pageSize: number, change: string, settings = ""): Buffer {
  const path = join(folder, "x.db");
  for (const suffix of ["", "-journal"]) rmSync(`${path}${suffix}`, { force: true });
  using database = new DatabaseSync(path);
  database.exec(`PRAGMA page_size = ${pageSize}; PRAGMA cache_size = 5; ${settings};
    CREATE TABLE t (n INTEGER, body BLOB);
    INSERT INTO t WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 120)
    SELECT i, randomblob(${pageSize} / 3) FROM c`);
  const bytes = readFileSync(path);
  database.exec(`BEGIN; ${change}`);
  for (const suffix of ["", "-journal"]) copyFileSync(`${path}${suffix}`, `${left}${suffix}`);
  assert.ok(!readFileSync(left).equals(bytes), "the change has reached the file");
  return bytes;
}

async function undo(): Promise<Buffer | undefined> {
  const to = join(folder, "undone.db");
  copyFileSync(left, to);
  await using journal = await open(`${left}-journal`);
  await using copy = await open(to, "r+");
  const isUndone = await undoChange(journal.fd, copy.fd, new AbortController().signal);
  return isUndone ? readFileSync(to) : undefined;
}

/** What SQLite itself makes of the same two files. */
function recover(): Buffer {
  const to = join(folder, "recovered.db");
  for (const suffix of ["", "-journal"]) copyFileSync(`${left}${suffix}`, `${to}${suffix}`);
  {
    using database = new DatabaseSync(to);
    try {
      database.prepare("SELECT count(*) FROM sqlite_schema").get();
    } catch {
      // what it made of a damaged journal may be no database: its bytes are compared all the same
    }
  }
  return readFileSync(to);
}

const growing = "UPDATE t SET n = n + 1, body = randomblob(length(body) + 100)";
const changes = [
  growing,
  "DELETE FROM t WHERE n > 5; CREATE TABLE u AS SELECT n, randomblob(900) FROM t",
  `SAVEPOINT s; ${growing}; ROLLBACK TO s; ${growing}`,
  "CREATE INDEX i ON t (body); DROP TABLE t",
];

describe("undoChange() gives the bytes from before the change, as SQLite's own recovery does", () => {
  for (const pageSize of [512, 16_384])
    for (const change of changes)
      test(`with pages of ${pageSize} bytes: ${change}`, async () => {
        const before = leave(pageSize, change);
        assert.equal((await undo())?.equals(before), true);
        assert.ok(recover().equals(before));
      });

  test("of a program that does not wait for its disk", async () => {
    const before = leave(1024, growing, "PRAGMA synchronous = OFF");
    assert.equal((await undo())?.equals(before), true);
    assert.ok(recover().equals(before));
  });

  test("where an older, longer journal lies behind it", async () => {
    const before = leave(
      1024,
      growing,
      "PRAGMA journal_mode = PERSIST; CREATE TABLE old AS SELECT zeroblob(1); BEGIN; DROP TABLE old; ROLLBACK",
    );
    appendFileSync(`${left}-journal`, Buffer.alloc(3000, 9));
    assert.equal((await undo())?.equals(before), true);
    assert.ok(recover().equals(before));
  });

  test("as far as a damaged journal goes", async () => {
    leave(1024, growing);
    const journal = readFileSync(`${left}-journal`);
    const check = async (bytes: Buffer): Promise<void> => {
      writeFileSync(`${left}-journal`, bytes);
      const undone = await undo();
      if (bytes.subarray(-8).equals(magic)) assert.equal(undone, undefined); // as behind a name
      else assert.equal(undone?.equals(recover()), true);
    };
    const magic = journal.subarray(0, 8);
    for (let at = 512; at < journal.length; at += 512)
      if (journal.subarray(at, at + 8).equals(magic)) {
        await check(journal.subarray(0, at + 8));
        // More records than follow, so that the next header is read as one; sizes that only the first header tells.
        for (const part of [11, 15, 19, 20, 24]) {
          const bytes = Buffer.from(journal);
          bytes[at + part] = (bytes[at + part] ?? 0) ^ 0x10;
          await check(bytes);
        }
        break;
      }
    const records = { min: 512, max: journal.length - 1 };
    const cut = fc.asyncProperty(fc.integer(records), (length) =>
      check(journal.subarray(0, length)),
    );
    await fc.assert(cut, { numRuns: 25 });
    const flip = fc.asyncProperty(fc.integer(records), async (at) => {
      const bytes = Buffer.from(journal);
      bytes[at] = (bytes[at] ?? 0) ^ 0x10;
      await check(bytes);
    });
    await fc.assert(flip, { numRuns: 25 });
  });
});

test("undoChange() does nothing where the journal does not tell whether the change is over", async () => {
  leave(1024, growing);
  const journal = readFileSync(`${left}-journal`);
  appendFileSync(`${left}-journal`, journal.subarray(0, 8)); // as behind the name of a file that several databases share
  assert.equal(await undo(), undefined);
  for (const [at, byte] of [
    [0, 0],
    [20, 0xff],
    [26, 1],
  ] as const) {
    const bytes = Buffer.from(journal);
    bytes[at] = byte;
    writeFileSync(`${left}-journal`, bytes);
    assert.equal(await undo(), undefined);
  }
});
