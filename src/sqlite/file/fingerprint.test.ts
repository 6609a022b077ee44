import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import {
  isSameState,
  isSettled,
  isUntouched,
  takeFingerprint,
  type Fingerprint,
} from "./fingerprint.ts";

const folder = mkdtempSync(join(tmpdir(), "genkan-fingerprint-"));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});

function make(name: string, sql = ""): string {
  const path = join(folder, name);
  using database = new DatabaseSync(path);
  database.exec(`CREATE TABLE t (n INTEGER); ${sql}`);
  return path;
}

function take(path: string): Fingerprint {
  const fingerprint = takeFingerprint(path);
  assert.ok(fingerprint !== undefined);
  return fingerprint;
}

describe("takeFingerprint()", () => {
  test("is the same for what has not changed, also after its way through JSON", () => {
    const path = make("same.db", "PRAGMA journal_mode = WAL");
    writeFileSync(`${path}-wal`, "x".repeat(40));
    const first = take(path);
    assert.equal(first.header.length, 200);
    assert.equal(first.wal?.header.length, 64);
    assert.ok(isSameState(JSON.parse(JSON.stringify(first)), take(path)));
  });

  const changes: Readonly<Record<string, (path: string) => unknown>> = {
    "a commit": (path) => {
      using database = new DatabaseSync(path);
      database.exec("INSERT INTO t VALUES (1)");
    },
    "a page more": (path) => {
      appendFileSync(path, "x".repeat(4096));
    },
    "another file of the same bytes": (path) => {
      copyFileSync(path, `${path}.new`);
      renameSync(`${path}.new`, path);
    },
    "a log": (path) => {
      writeFileSync(`${path}-wal`, "x");
    },
    "a time that was set back": (path) => {
      utimesSync(path, 1e9, 1e9);
    },
    "another mode": (path) => {
      chmodSync(path, 0o600);
    },
  };
  for (const [name, change] of Object.entries(changes))
    test(`shows ${name}`, () => {
      const path = make(`${name}.db`);
      const first = take(path);
      change(path);
      assert.ok(!isSameState(first, take(path)));
    });

  test("shows each commit into a log, and an empty log not at all", () => {
    const path = make("log.db", "PRAGMA journal_mode = WAL");
    const closed = take(path);
    using database = new DatabaseSync(path);
    database.exec("SELECT * FROM t");
    assert.ok(isSameState(closed, take(path)));
    let last = take(path);
    for (let n = 0; n < 20; n++) {
      database.exec("INSERT INTO t VALUES (1)");
      const now = take(path);
      assert.ok(!isSameState(last, now));
      last = now;
    }
  });

  test("is undefined where there is no regular file, and waits for none", () => {
    const path = join(folder, "none.db");
    assert.equal(takeFingerprint(path), undefined);
    for (const occupy of [
      () => mkdirSync(path),
      () => execFileSync("mkfifo", [path]),
      () => symlinkSync(join(folder, "same.db"), path),
    ]) {
      occupy();
      assert.equal(takeFingerprint(path), undefined);
      rmSync(path, { recursive: true });
    }
    assert.equal(takeFingerprint("/dev/zero"), undefined);
    assert.equal(takeFingerprint("/proc/self/mem"), undefined); // a regular file that cannot be read
  });

  test("knows a journal by its first byte, as SQLite does", () => {
    const path = make("journal.db");
    const clean = take(path);
    assert.equal(clean.isJournalHot, false);
    for (const [bytes, isHot] of [
      ["", false],
      ["\0\0\0", false],
      ["\xd9", true],
    ] as const) {
      writeFileSync(`${path}-journal`, bytes, "latin1");
      assert.equal(take(path).isJournalHot, isHot);
    }
    const during = take(path);
    assert.ok(isSameState(clean, during)); // its bytes are what they were
    assert.ok(isUntouched(during, during));
    assert.ok(!isSameState(during, during)); // how the change ends may show nowhere else
    rmSync(`${path}-journal`);
    mkdirSync(`${path}-journal`); // nobody can tell what that means
    assert.equal(take(path).isJournalHot, true);
  });
});

describe("isSettled()", () => {
  const at = Date.parse("2026-11-01T12:00:00.007Z");
  const written = (ms: number, nanoseconds = 1n): string =>
    String(BigInt(ms) * 1_000_000n + nanoseconds);
  const base = { ...take(make("base.db")), takenAtMs: at };

  test("is so when a change could not bear the same time", () => {
    for (const [mtimeNs, expected] of [
      [written(at), false],
      [written(at - 50), false],
      [written(at - 51), true],
      [written(at + 50), false],
      [written(at + 3_600_000), true], // of a clock that was wrong
      [written(at - 1007, 0n), false], // a file system that knows whole seconds, or chance
      [written(at - 2007, 0n), false],
      [written(at - 3007, 0n), true],
    ] as const)
      assert.equal(isSettled({ ...base, mtimeNs }), expected, mtimeNs);
  });

  test("asks the log as well, and the moment at which it was taken", () => {
    const old = { ...base, mtimeNs: written(at - 60_000) };
    const wal = { ino: "1", size: "1", header: "", mtimeNs: written(at - 20) };
    assert.ok(isSettled(old));
    assert.ok(!isSettled({ ...old, wal }));
    assert.ok(isSettled({ ...old, wal: { ...wal, mtimeNs: written(at - 51) } }));
    assert.ok(!isSettled(old, at - 60_000));
  });
});
