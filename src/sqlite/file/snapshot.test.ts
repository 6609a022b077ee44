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
import { afterEach, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startProgram } from "../../../fixtures/databases/program.ts";
import { dump, openImmutable, takeCensus } from "../../../fixtures/databases/read-copy.ts";
import { databaseBytes } from "../../../fixtures/databases/visit.ts";
import { QueryError } from "../query-error.ts";
import { isSameState, takeFingerprint } from "./fingerprint.ts";
import { DatabaseRefusal } from "./refusals.ts";
import { takeSnapshot, type Snapshot } from "./snapshot.ts";

const writer = fileURLToPath(
  new URL("../../../fixtures/databases/balance-writer.ts", import.meta.url),
);

let folder = "";
let owned = "";
let copies = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "genkan-snapshot-"));
  owned = mkdtempSync(join(folder, "owned-"));
  copies = mkdtempSync(join(folder, "copies-"));
  path = join(owned, "x.db");
});
afterEach(() => {
  assert.deepEqual(readdirSync(copies), []); // a copy that was not taken leaves nothing
  rmSync(folder, { recursive: true, force: true });
});

function take(
  options: { readonly budgetMs?: number; readonly signal?: AbortSignal } = {},
): Promise<Snapshot> {
  return takeSnapshot(path, copies, { databaseBytes, budgetMs: 5000, ...options });
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
    ["into a log", "journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 200", 300],
    ["into a log, without room in its memory", "journal_mode = WAL; PRAGMA cache_size = 5", 60],
    ["with a journal that it removes", "journal_mode = DELETE", 60],
    ["with a journal that it cuts, without room in its memory", "journal_mode = TRUNCATE; PRAGMA cache_size = 5", 60],
    ["with a journal that it keeps, and no wait for the disk", "journal_mode = PERSIST; PRAGMA synchronous = OFF", 60],
    ["with a journal in its memory", "journal_mode = MEMORY; PRAGMA cache_size = 5", 30],
    ["for itself alone", "locking_mode = EXCLUSIVE; PRAGMA cache_size = 5", 30],
  ];
  for (const [name, start, count] of modes)
    test(name, async () => {
      const child = spawn(process.execPath, [writer, path, `PRAGMA ${start}`], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        await once(child.stdout, "data");
        const isLogged = start.includes("WAL");
        let [last, busy] = [0, 0];
        for (let n = 0; n < count; n++) {
          try {
            const commit = use(await take({ budgetMs: isLogged ? 5000 : 300 }), checkCommit);
            assert.ok(commit >= last, `${commit} came after ${last}`);
            last = commit;
          } catch (thrown) {
            if (isLogged || !(thrown instanceof QueryError)) throw thrown;
            assert.equal(thrown.kind, "busy");
            if (++busy === 5) break; // a writer may leave no gap: that is an answer too, a wrong copy is none
          }
        }
        assert.equal(child.exitCode, null);
        const names = readdirSync(owned).filter(
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
    await using program = await startProgram(path);
    await program.run(`PRAGMA cache_size = 5; CREATE TABLE t (n INTEGER, body BLOB);
      INSERT INTO t WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 400)
      SELECT i, randomblob(i) FROM c`);
    const committed = takeCensus(owned)[0]?.split(" ").at(-1);
    const before = use(await take(), dump);
    for (const change of [
      "UPDATE t SET n = n + 1, body = randomblob(500)",
      "DELETE FROM t WHERE n > 10; INSERT INTO t SELECT n, randomblob(3000) FROM t",
      "SAVEPOINT s; UPDATE t SET body = randomblob(700); ROLLBACK TO s; UPDATE t SET body = randomblob(9)",
      "CREATE TABLE u AS SELECT * FROM t; CREATE INDEX i ON t (n); DROP TABLE t",
    ]) {
      await program.run(`BEGIN; ${change}`);
      assert.notEqual(
        takeCensus(owned)[0]?.split(" ").at(-1),
        committed,
        "the change is in the file",
      );
      const snapshot = await take();
      assert.equal(takeCensus(copies)[0]?.split(" ").at(-1), committed);
      assert.equal(use(snapshot, dump), before);
      const now = takeFingerprint(path);
      assert.ok(now !== undefined && !isSameState(snapshot.fingerprint, now)); // it may be over at any moment
      await program.run("ROLLBACK");
    }
  });

  test("makes a file that nobody else may read, and keeps no file open", async () => {
    using database = new DatabaseSync(path);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (n INTEGER)");
    const open = (): number => readdirSync("/proc/self/fd").length;
    const before = open();
    for (let n = 0; n < 20; n++) {
      database.exec(`INSERT INTO t VALUES (${n})`);
      const snapshot = await take();
      assert.equal(statSync(snapshot.path).mode & 0o777, 0o600);
      assert.equal(use(snapshot, dump), dump(database));
    }
    assert.ok(open() <= before + 2);
  });

  test("gives a fingerprint that holds until the next commit", async () => {
    using database = new DatabaseSync(path);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (n INTEGER)");
    const { fingerprint, path: copy } = await take();
    unlinkSync(copy);
    const now = takeFingerprint(path);
    assert.ok(now !== undefined && isSameState(fingerprint, now));
    database.exec("INSERT INTO t VALUES (1)");
    const later = takeFingerprint(path);
    assert.ok(later !== undefined && !isSameState(fingerprint, later));
  });

  const failures: readonly (readonly [
    name: string,
    start: string,
    during: string,
    says: RegExp,
  ])[] = [
    [
      "somebody keeps it locked",
      "CREATE TABLE t (n INTEGER)",
      "BEGIN EXCLUSIVE",
      /^Another program keeps the database to itself: it could not be copied within 50 ms$/,
    ],
  ];
  for (const [name, start, during, says] of failures)
    test(`is busy as long as ${name}`, async () => {
      await using program = await startProgram(path);
      await program.run(start);
      await program.run(during);
      const found = takeCensus(owned);
      await assert.rejects(take({ budgetMs: 50 }), (thrown) => {
        assert.ok(thrown instanceof QueryError);
        assert.equal(thrown.kind, "busy");
        assert.match(thrown.message, says);
        return true;
      });
      assert.deepEqual(takeCensus(owned), found);
      await program.run("ROLLBACK");
      use(await take(), dump);
    });

  test("refuses what a dead program left unfinished, what is none any more, and what has grown too big", async () => {
    const program = await startProgram(path);
    await program.run("PRAGMA cache_size = 5; CREATE TABLE t (n INTEGER, body BLOB)");
    await program.run(
      "BEGIN; INSERT INTO t WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 400) SELECT i, randomblob(i) FROM c",
    );
    await program.kill();
    const found = takeCensus(owned);
    await assert.rejects(take(), { reason: "needs-recovery" });
    assert.deepEqual(takeCensus(owned), found);
    unlinkSync(`${path}-journal`);

    const small = takeSnapshot(path, copies, {
      databaseBytes: statSync(path).size - 1,
      budgetMs: 5000,
    });
    await assert.rejects(small, { reason: "too-big" });
    writeFileSync(path, "no database");
    await assert.rejects(take(), { reason: "not-a-database" });
    unlinkSync(path);
    await assert.rejects(take(), DatabaseRefusal);
  });

  test("refuses a log of another database, or of another format", async () => {
    const other = join(folder, "other.db");
    for (const [name, pageSize] of [
      [path, 4096],
      [other, 1024],
    ] as const) {
      using database = new DatabaseSync(name);
      database.exec(`PRAGMA page_size = ${pageSize}; CREATE TABLE t (n INTEGER)`);
    }
    using database = new DatabaseSync(other);
    database.exec("PRAGMA journal_mode = WAL; INSERT INTO t VALUES (1)");
    copyFileSync(`${other}-wal`, `${path}-wal`);
    await assert.rejects(
      take(),
      /beside it is a file that plain SQLite does not make \(a -wal of another database\)/,
    );
  });

  test("says that there is no room for a copy", async () => {
    {
      using database = new DatabaseSync(path);
      database.exec("CREATE TABLE t (n INTEGER)");
    }
    const nowhere = takeSnapshot(path, join(folder, "nowhere"), { databaseBytes, budgetMs: 5000 });
    await assert.rejects(nowhere, (thrown) => {
      assert.ok(thrown instanceof QueryError);
      assert.equal(thrown.kind, "database-unavailable");
      assert.equal(thrown.message, "There is no place for a private copy of the database (ENOENT)");
      assert.equal(thrown.hint, "TMPDIR=/a/folder/with/room");
      return true;
    });
  });

  test("stops when nobody waits for it any more", async () => {
    await using program = await startProgram(path);
    await program.run("CREATE TABLE t (n INTEGER); BEGIN EXCLUSIVE");
    const reason = new Error("gone");
    await assert.rejects(take({ signal: AbortSignal.abort(reason) }), reason);
    const leaving = new AbortController();
    const waiting = take({ signal: leaving.signal });
    setTimeout(() => leaving.abort(reason), 20);
    await assert.rejects(waiting, reason);
  });
});
