import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startProgram } from "../../../fixtures/databases/program.ts";
import { dump, openImmutable, takeCensus } from "../../../fixtures/databases/read-copy.ts";
import { databaseBytes } from "../../../fixtures/databases/visit.ts";
import { QueryError } from "../query-error.ts";
import { isSameState, takeFingerprint } from "./fingerprint.ts";
import { DatabaseRefusal } from "./refusals.ts";
import { takeSnapshot, type Snapshot, type SnapshotOptions } from "./snapshot.ts";

const writer = fileURLToPath(
  new URL("../../../fixtures/databases/balance-writer.ts", import.meta.url),
);

/** A folder for a database, and one for copies of it, in which nothing may be left at the end. */
class Place implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "genkan-snapshot-"));
  readonly owned = mkdtempSync(join(this.folder, "owned-"));
  readonly copies = mkdtempSync(join(this.folder, "copies-"));
  readonly path = join(this.owned, "x.db");

  take(options: Partial<SnapshotOptions> = {}): Promise<Snapshot> {
    return takeSnapshot(this.path, this.copies, { databaseBytes, budgetMs: 5000, ...options });
  }

  [Symbol.dispose](): void {
    const left = readdirSync(this.copies);
    rmSync(this.folder, { recursive: true, force: true });
    assert.deepEqual(left, []);
  }
}

/** Reads the copy and removes it. */
function use<Result>(snapshot: Snapshot, read: (database: DatabaseSync) => Result): Result {
  try {
    using database = openImmutable(snapshot.path);
    return read(database);
  } finally {
    unlinkSync(snapshot.path);
  }
}

/** Throws where two tables do not hold the same, or a page is out of order; gives the number of the commit. */
function checkCommit(database: DatabaseSync): number {
  const [check] = database.prepare("PRAGMA integrity_check").all();
  assert.equal(check?.integrity_check, "ok");
  const sums = ["balances", "checks"].map((table) =>
    database.prepare(`SELECT count(*), sum(amount), sum(length(note)) FROM ${table}`).get(),
  );
  assert.deepEqual(sums[0], sums[1]);
  return Number(database.prepare("SELECT count FROM commits").get()?.count);
}

describe("takeSnapshot() gives a committed state while a program writes without a pause", () => {
  // prettier-ignore
  const modes: readonly (readonly [name: string, start: string, copies: number])[] = [
    ["into a log", "journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 200", 300],
    ["into a log, without room in its memory", "journal_mode = WAL; PRAGMA cache_size = 5", 60],
    ["with a journal that it removes", "journal_mode = DELETE", 60],
    ["with a journal that it cuts, without room in its memory", "journal_mode = TRUNCATE; PRAGMA cache_size = 5", 60],
    ["with a journal that it keeps, and no wait for the disk", "journal_mode = PERSIST; PRAGMA synchronous = OFF", 60],
    ["with a journal in its memory", "journal_mode = MEMORY; PRAGMA cache_size = 5", 30],
    ["for itself alone", "locking_mode = EXCLUSIVE; PRAGMA cache_size = 5", 30],
  ];
  for (const [name, start, count] of modes)
    test(name, async () => {
      using place = new Place();
      const child = spawn(process.execPath, [writer, place.path, `PRAGMA ${start}`], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        await once(child.stdout, "data");
        const isLogged = start.includes("WAL");
        let [last, busy] = [0, 0];
        for (let n = 0; n < count; n++) {
          try {
            const commit = use(await place.take({ budgetMs: isLogged ? 5000 : 300 }), checkCommit);
            assert.ok(commit >= last, `${commit} came after ${last}`);
            last = commit;
          } catch (thrown) {
            if (isLogged || !(thrown instanceof QueryError)) throw thrown;
            assert.equal(thrown.kind, "busy");
            if (++busy === 5) break; // a writer may leave no gap: that is an answer too, a wrong copy is none
          }
        }
        assert.equal(child.exitCode, null);
        const names = readdirSync(place.owned).filter(
          (file) => !/^x\.db(?:-wal|-shm|-journal)?$/.test(file),
        );
        assert.deepEqual(names, []);
      } finally {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
    });
});

describe("takeSnapshot()", () => {
  test("undoes a change that is being written, to the byte", async () => {
    using place = new Place();
    await using program = await startProgram(place.path);
    await program.run(`PRAGMA cache_size = 5; CREATE TABLE t (n INTEGER, body BLOB);
      INSERT INTO t WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 400)
      SELECT i, randomblob(i) FROM c`);
    const committed = takeCensus(place.owned)[0]?.split(" ").at(-1);
    const before = use(await place.take(), dump);
    for (const change of [
      "UPDATE t SET n = n + 1, body = randomblob(500)",
      "DELETE FROM t WHERE n > 10; INSERT INTO t SELECT n, randomblob(3000) FROM t",
      "SAVEPOINT s; UPDATE t SET body = randomblob(700); ROLLBACK TO s; UPDATE t SET body = randomblob(9)",
      "CREATE TABLE u AS SELECT * FROM t; CREATE INDEX i ON t (n); DROP TABLE t",
    ]) {
      await program.run(`BEGIN; ${change}`);
      assert.notEqual(
        takeCensus(place.owned)[0]?.split(" ").at(-1),
        committed,
        "the change is in the file",
      );
      const snapshot = await place.take();
      assert.equal(takeCensus(place.copies)[0]?.split(" ").at(-1), committed);
      assert.equal(use(snapshot, dump), before);
      const now = takeFingerprint(place.path);
      assert.ok(now !== undefined && !isSameState(snapshot.fingerprint, now)); // it may be over at any moment
      await program.run("ROLLBACK");
    }
  });

  test("makes a file that nobody else may read, and keeps no file open", async () => {
    using place = new Place();
    using database = new DatabaseSync(place.path);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (n INTEGER)");
    const open = (): number => readdirSync("/proc/self/fd").length;
    const before = open();
    for (let n = 0; n < 20; n++) {
      database.exec(`INSERT INTO t VALUES (${n})`);
      const snapshot = await place.take();
      assert.equal(statSync(snapshot.path).mode & 0o777, 0o600);
      assert.equal(use(snapshot, dump), dump(database));
    }
    assert.ok(open() <= before + 2);
  });

  test("gives a fingerprint that holds until the next commit", async () => {
    using place = new Place();
    using database = new DatabaseSync(place.path);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (n INTEGER)");
    const { fingerprint, path: copy } = await place.take();
    unlinkSync(copy);
    const now = takeFingerprint(place.path);
    assert.ok(now !== undefined && isSameState(fingerprint, now));
    database.exec("INSERT INTO t VALUES (1)");
    const later = takeFingerprint(place.path);
    assert.ok(later !== undefined && !isSameState(fingerprint, later));
  });

  test("is busy as long as another program keeps the database locked", async () => {
    using place = new Place();
    await using program = await startProgram(place.path);
    await program.run("CREATE TABLE t (n INTEGER); BEGIN EXCLUSIVE");
    const found = takeCensus(place.owned);
    await assert.rejects(place.take({ budgetMs: 50 }), (thrown) => {
      assert.ok(thrown instanceof QueryError);
      assert.equal(thrown.kind, "busy");
      assert.equal(
        thrown.message,
        "Another program keeps the database locked for itself and did not let go within 50 ms",
      );
      return true;
    });
    assert.deepEqual(takeCensus(place.owned), found);
    await program.run("ROLLBACK");
    use(await place.take(), dump);
  });

  test("refuses what a dead program left unfinished, what is none any more, and what has grown too big", async () => {
    using place = new Place();
    const program = await startProgram(place.path);
    await program.run("PRAGMA cache_size = 5; CREATE TABLE t (n INTEGER, body BLOB)");
    await program.run(
      "BEGIN; INSERT INTO t WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 400) SELECT i, randomblob(i) FROM c",
    );
    await program.kill();
    const found = takeCensus(place.owned);
    await assert.rejects(place.take(), { reason: "needs-recovery" });
    assert.deepEqual(takeCensus(place.owned), found);
    unlinkSync(`${place.path}-journal`);

    const small = place.take({ databaseBytes: statSync(place.path).size - 1 });
    await assert.rejects(small, { reason: "too-big" });
    writeFileSync(place.path, "no database");
    await assert.rejects(place.take(), { reason: "not-a-database" });
    unlinkSync(place.path);
    await assert.rejects(place.take(), DatabaseRefusal);
  });

  test("refuses a log of another database, or of another format", async () => {
    using place = new Place();
    const other = join(place.folder, "other.db");
    for (const [name, pageSize] of [
      [place.path, 4096],
      [other, 1024],
    ] as const) {
      using database = new DatabaseSync(name);
      database.exec(`PRAGMA page_size = ${pageSize}; CREATE TABLE t (n INTEGER)`);
    }
    using database = new DatabaseSync(other);
    database.exec("PRAGMA journal_mode = WAL; INSERT INTO t VALUES (1)");
    copyFileSync(`${other}-wal`, `${place.path}-wal`);
    await assert.rejects(
      place.take(),
      /beside it is a file that plain SQLite does not make \(a -wal of another database\)/,
    );
  });

  test("says that there is no room for a copy", async () => {
    using place = new Place();
    {
      using database = new DatabaseSync(place.path);
      database.exec("CREATE TABLE t (n INTEGER)");
    }
    const nowhere = takeSnapshot(place.path, join(place.folder, "nowhere"), {
      databaseBytes,
      budgetMs: 5000,
    });
    await assert.rejects(nowhere, (thrown) => {
      assert.ok(thrown instanceof QueryError);
      assert.equal(thrown.kind, "database-unavailable");
      assert.equal(thrown.message, "There is no place for a private copy of the database (ENOENT)");
      assert.equal(thrown.hint, "TMPDIR=/a/folder/with/room");
      return true;
    });
  });

  test("stops when nobody waits for it any more", async () => {
    using place = new Place();
    await using program = await startProgram(place.path);
    await program.run("CREATE TABLE t (n INTEGER); BEGIN EXCLUSIVE");
    const reason = new Error("gone");
    await assert.rejects(place.take({ signal: AbortSignal.abort(reason) }), reason);
    const leaving = new AbortController();
    const waiting = place.take({ signal: leaving.signal });
    setTimeout(() => leaving.abort(reason), 20);
    await assert.rejects(waiting, reason);
  });
});
