import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import * as fc from "fast-check";
import { dump, openImmutable } from "../../../fixtures/databases/read-copy.ts";
import { addChecksum, applyLog, readLog, readLogHeader, type Checksum } from "./wal.ts";

const folder = mkdtempSync(join(tmpdir(), "genkan-wal-"));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});
const path = join(folder, "x.db");
const idle = new AbortController().signal;

/** Lays the log of a database over a copy of it, as `takeSnapshot` does, and gives all that is then in it. */
async function apply(from: string): Promise<string> {
  const to = join(folder, "applied.db");
  copyFileSync(from, to);
  await using log = await open(`${from}-wal`);
  await using copy = await open(to, "r+");
  const bytes = readFileSync(`${from}-wal`);
  const header = readLogHeader(bytes.subarray(0, 32));
  assert.notEqual(header, "unsupported-format");
  if (typeof header === "object") {
    const committed = await readLog(log.fd, header, bytes.length, idle);
    if (committed !== undefined) assert.ok(await applyLog(log.fd, committed, copy.fd, idle));
  }
  using database = openImmutable(to);
  return dump(database);
}

/** What SQLite itself makes of the same two files. */
function recover(from: string): string {
  const to = join(folder, "recovered.db");
  for (const suffix of ["-shm", "-wal", ""]) rmSync(`${to}${suffix}`, { force: true });
  for (const suffix of ["", "-wal"]) copyFileSync(`${from}${suffix}`, `${to}${suffix}`);
  using database = new DatabaseSync(to);
  return dump(database);
}

/** Opens a new database whose log is never written back but by a statement. */
function begin(pageSize: number): DatabaseSync {
  for (const suffix of ["-shm", "-wal", ""]) rmSync(`${path}${suffix}`, { force: true });
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
    PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = 5;
    CREATE TABLE t (id INTEGER PRIMARY KEY, body BLOB); CREATE INDEX bodies ON t (substr(body, 1, 4))`);
  return database;
}

const rows = (count: number, bytes: number): string =>
  `INSERT INTO t (body) WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${count})
   SELECT randomblob(${bytes}) FROM c`;

describe("the log, laid over the file, is what SQLite reads", () => {
  for (const pageSize of [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536])
    test(`with pages of ${pageSize} bytes`, async () => {
      using database = begin(pageSize);
      const agree = async (): Promise<void> => {
        const read = dump(database);
        assert.equal(await apply(path), read);
      };
      await agree();
      database.exec(rows(40, pageSize / 2));
      await agree();
      database.exec("PRAGMA wal_checkpoint");
      database.exec("UPDATE t SET body = randomblob(300) WHERE id % 3 = 0");
      await agree();
      database.exec(`BEGIN; ${rows(40, pageSize)}; ROLLBACK`); // frames that were written and never committed
      await agree();
      database.exec("DELETE FROM t WHERE id > 10; VACUUM"); // fewer pages than in the file
      await agree();
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      database.exec(rows(1, 10));
      await agree();
    });

  const statement = fc.oneof(
    fc
      .tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 3000 }))
      .map((of) => rows(...of)),
    fc.constantFrom(
      "DELETE FROM t WHERE id % 2 = 0",
      "UPDATE t SET body = randomblob(length(body) + 7)",
      "BEGIN; UPDATE t SET body = randomblob(900); ROLLBACK",
      `BEGIN; SAVEPOINT s; ${rows(20, 500)}; ROLLBACK TO s; ${rows(2, 50)}; COMMIT`,
      "PRAGMA wal_checkpoint(PASSIVE)",
      "PRAGMA wal_checkpoint(RESTART)",
      "PRAGMA wal_checkpoint(TRUNCATE)",
      "VACUUM",
      "DROP INDEX IF EXISTS bodies",
    ),
  );

  test("after any statements, with any reader that holds a checkpoint up", async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(512, 1024, 4096),
      fc.array(fc.tuple(statement, fc.boolean()), { minLength: 1, maxLength: 12 }),
      async (pageSize, steps) => {
        using database = begin(pageSize);
        using reader = new DatabaseSync(path);
        for (const [sql, isHeld] of steps) {
          if (isHeld && !reader.isTransaction) reader.exec("BEGIN; SELECT count(*) FROM t");
          if (!isHeld && reader.isTransaction) reader.exec("COMMIT");
          try {
            database.exec(sql);
          } catch (thrown) {
            assert.match(String(thrown), /locked/); // a VACUUM or checkpoint that the reader is in the way of
          }
          assert.equal(await apply(path), dump(database));
        }
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });
});

describe("a damaged log is read as far as SQLite reads it", () => {
  const damaged = join(folder, "damaged.db");
  const make = (): Buffer => {
    using database = begin(1024);
    for (let commit = 0; commit < 8; commit++) database.exec(rows(3, 200 * commit));
    copyFileSync(path, damaged);
    return readFileSync(`${path}-wal`);
  };
  const log = make();
  const check = async (bytes: Buffer): Promise<void> => {
    writeFileSync(`${damaged}-wal`, bytes);
    assert.equal(await apply(damaged), recover(damaged));
  };

  test("cut anywhere", async () => {
    await check(log);
    for (const length of [1, 31, 32, 33, 55, 56, 1079, 1080, 1081, log.length - 1])
      await check(log.subarray(0, length));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: log.length }), (length) =>
        check(log.subarray(0, length)),
      ),
      { numRuns: 30 },
    );
  });

  test("with another byte anywhere", async () => {
    const flip = (at: number): Promise<void> => {
      const bytes = Buffer.from(log);
      bytes[at] = (bytes[at] ?? 0) ^ 0x40;
      return check(bytes);
    };
    for (const at of [0, 3, 8, 11, 12, 16, 20, 24, 31, 32, 36, 40, 48, 56]) await flip(at);
    await fc.assert(fc.asyncProperty(fc.integer({ min: 32, max: log.length - 1 }), flip), {
      numRuns: 40,
    });
  });

  test("with the rest of an earlier generation behind it, or noise", async () => {
    {
      using database = begin(1024);
      database.exec(rows(60, 500));
      database.exec("PRAGMA wal_checkpoint(RESTART)");
      database.exec(rows(1, 5));
      for (const suffix of ["", "-wal"]) copyFileSync(`${path}${suffix}`, `${damaged}${suffix}`);
    }
    assert.equal(await apply(damaged), recover(damaged));
    copyFileSync(path, damaged);
    make();
    await check(Buffer.concat([log, Buffer.alloc(5000, 7)]));
  });
});

describe("a log whose checksums are of numbers with the highest byte first", () => {
  test("is read as SQLite reads it", async () => {
    const turned = join(folder, "turned.db");
    using database = begin(4096);
    database.exec(rows(20, 900));
    const bytes = readFileSync(`${path}-wal`);
    bytes.writeUInt32BE(0x377f0683, 0);
    const write = (at: number, sum: Checksum): void => {
      bytes.writeInt32BE(sum[0], at);
      bytes.writeInt32BE(sum[1], at + 4);
    };
    let sum = addChecksum([0, 0], bytes, 0, 24, false);
    write(24, sum);
    for (let at = 32; at < bytes.length; at += 24 + 4096) {
      sum = addChecksum(addChecksum(sum, bytes, at, 8, false), bytes, at + 24, 4096, false);
      write(at + 16, sum);
    }
    copyFileSync(path, turned);
    writeFileSync(`${turned}-wal`, bytes);
    assert.equal(await apply(turned), dump(database));
    assert.equal(recover(turned), dump(database));
  });

  test("sums up as the format's text says", () => {
    const words = Buffer.from("0000000100000002fffffffffffffffe", "hex");
    // s0 += x0 + s1; s1 += x1 + s0; each time modulo 2^32
    assert.deepEqual(addChecksum([0, 0], words, 0, 8, false), [1, 3]);
    assert.deepEqual(addChecksum([0, 0], words, 0, 16, false), [3, 4]);
    assert.deepEqual(addChecksum([0, 0], words, 0, 8, true), [0x01000000, 0x03000000]);
  });
});
