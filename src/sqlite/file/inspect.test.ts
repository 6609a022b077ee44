import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import { takeCensus } from "../../../fixtures/databases/read-copy.ts";
import { databaseBytes, visit } from "../../../fixtures/databases/visit.ts";
import { inspectDatabase, type InspectOptions } from "./inspect.ts";
import { DatabaseRefusal } from "./refusals.ts";

const folder = mkdtempSync(join(tmpdir(), "genkan-inspect-"));
const inside = join(folder, "inside");
const plain = join(inside, "plain.db");
const size = 8192;

mkdirSync(inside);
makeDatabase(plain);
makeDatabase(join(folder, "outside.db"));
age(plain);
after(() => {
  rmSync(folder, { recursive: true, force: true });
});

function makeDatabase(path: string): void {
  using database = new DatabaseSync(path);
  database.exec("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (20), (22)");
}

/** Makes it look as if nobody had written it for long: what has just been written is copied. */
function age(path: string): void {
  utimesSync(path, 1e9, 1e9);
}

/** Gives the refusal of what must be refused, leaving everything as it is. */
async function refuse(
  path: string,
  options: Partial<InspectOptions> = {},
): Promise<DatabaseRefusal> {
  const found = takeCensus(inside);
  try {
    await inspectDatabase(path, { databaseBytes, ...options });
  } catch (thrown) {
    assert.ok(thrown instanceof DatabaseRefusal, String(thrown));
    assert.equal(thrown.code, "cannot-open-database");
    assert.deepEqual(takeCensus(inside), found);
    return thrown;
  }
  assert.fail(`${path} was not refused`);
}

describe("inspectDatabase() says what it is", () => {
  const makers: Readonly<Record<string, (path: string) => unknown>> = {
    "no-such-file": () => {},
    directory: (path) => mkdirSync(path),
    fifo: (path) => execFileSync("mkfifo", [path]),
    "dangling-link": (path) => symlinkSync("nowhere.db", path),
    "link-loop": (path) => symlinkSync(path, path),
    "link-out-of-root": (path) => symlinkSync("../outside.db", path),
    "hard-link": (path) => linkSync(join(folder, "outside.db"), path),
    empty: (path) => writeFileSync(path, ""),
    "not-a-database": (path) => writeFileSync(path, "SQLite format 2\0".padEnd(size, "x")),
  };

  for (const [reason, make] of Object.entries(makers))
    test(reason, async () => {
      const path = join(inside, `${reason}.db`);
      make(path);
      const refusal = await refuse(path);
      assert.equal(refusal.reason, reason);
      assert.match(
        refusal.message,
        new RegExp(`^Cannot open "${RegExp.escape(path)}": .+, expected `),
      );
      rmSync(path, { recursive: true, force: true });
    });

  test("socket", async () => {
    const path = join(inside, "socket.db");
    const server = createServer().listen(path);
    await once(server, "listening");
    assert.equal((await refuse(path)).reason, "socket");
    server.close();
  });

  for (const path of ["/dev/zero", "/dev/null", "/dev/tty"])
    test(`device: ${path}`, async () => {
      assert.equal((await refuse(path)).reason, "device");
    });

  test("what lies under a file, and what has no possible path", async () => {
    for (const path of [join(plain, "x.db"), `${inside}/\0.db`, join(inside, "x".repeat(300))])
      assert.equal((await refuse(path)).reason, "no-such-file");
  });

  test("a header's faults, as SQLite has them", async () => {
    for (const [at, byte, reason] of [
      [0, 0x73, "not-a-database"],
      [16, 3, "not-a-database"], // a page size that is no power of two
      [20, 0xff, "in-place"], // reserved bytes may be many
      [21, 65, "not-a-database"],
      [18, 3, "unsupported-format"],
      [19, 255, "unsupported-format"], // Turso's log of versions
      [47, 5, "unsupported-format"],
    ] as const) {
      const path = join(folder, `header-${at}.db`);
      const bytes = readFileSync(plain);
      bytes[at] = byte;
      writeFileSync(path, bytes);
      const outcome = reason === "in-place" ? "passed" : (await refuse(path)).reason;
      assert.equal(outcome, reason === "in-place" ? "passed" : reason);
    }
  });

  test("a file whose end is missing", async () => {
    const path = join(folder, "short.db");
    copyFileSync(plain, path);
    truncateSync(path, size - 1);
    age(path);
    const refusal = await refuse(path);
    assert.equal(refusal.reason, "incomplete");
    assert.match(refusal.message, /its end is missing \(1 of 2 pages are there\)/);
  });

  test("a file above the limit, its log counted", async () => {
    assert.equal((await inspectDatabase(plain, { databaseBytes: size })).way, "in-place");
    assert.equal((await inspectDatabase(plain, { databaseBytes: size + 1 })).way, "in-place");
    const refusal = await refuse(plain, { databaseBytes: size - 1 });
    assert.equal(refusal.reason, "too-big");
    assert.match(refusal.message, /it is too big \(8192 bytes of 8191\)/);

    const logged = join(folder, "logged.db");
    copyFileSync(plain, logged);
    writeFileSync(`${logged}-wal`, "x");
    assert.equal((await inspectDatabase(logged, { databaseBytes: size + 1 })).way, "copy");
    assert.equal((await refuse(logged, { databaseBytes: size })).reason, "too-big");
  });

  test("what lies beside it", async () => {
    for (const [suffix, make] of [
      ["-tshm", (path: string) => writeFileSync(path, "")],
      ["-lock", (path: string) => writeFileSync(path, "")],
      ["-wal2", (path: string) => writeFileSync(path, "")],
      ["-wal", (path: string) => mkdirSync(path)],
      ["-wal", (path: string) => execFileSync("mkfifo", [path])],
      ["-wal", (path: string) => symlinkSync(plain, path)],
      ["-journal", (path: string) => execFileSync("mkfifo", [path])],
    ] as const) {
      const path = join(folder, "beside.db");
      copyFileSync(plain, path);
      make(`${path}${suffix}`);
      const refusal = await refuse(path);
      assert.equal(refusal.reason, "unknown-sidecar");
      assert.match(refusal.message, new RegExp(`\\(${suffix}\\)`));
      rmSync(`${path}${suffix}`, { recursive: true });
    }
  });
});

test("inspectDatabase() has no large file copied because it was written just now", async () => {
  const path = join(folder, "fresh.db");
  {
    using database = new DatabaseSync(path);
    database.exec("CREATE TABLE t (body); INSERT INTO t VALUES (zeroblob(17 * 1024 * 1024))");
  }
  assert.equal((await inspectDatabase(path, { databaseBytes })).way, "in-place");
});

describe("inspectDatabase() follows links as far as the root goes", () => {
  test("to a file of the same folder", async () => {
    const link = join(inside, "link.db");
    symlinkSync("plain.db", link);
    assert.equal((await inspectDatabase(link, { databaseBytes })).path, plain);
    rmSync(link);
  });

  test("through a folder that is a link itself", async () => {
    const link = join(folder, "way-in");
    symlinkSync("inside", link);
    assert.equal((await inspectDatabase(join(link, "plain.db"), { databaseBytes })).path, plain);
  });

  test("out of the file's folder, but within the root that was named", async () => {
    const link = join(inside, "out.db");
    symlinkSync("../outside.db", link);
    const { path } = await inspectDatabase(link, { root: folder, databaseBytes });
    assert.equal(path, join(folder, "outside.db"));
    const refusal = await refuse(link, { root: inside });
    assert.equal(refusal.reason, "link-out-of-root");
    assert.equal(refusal.hint, join(folder, "outside.db"));
    assert.equal((await refuse(plain, { root: join(folder, "elsewhere") })).reason, "no-such-file");
    assert.equal(
      (await refuse(join(folder, "outside.db"), { root: inside })).reason,
      "link-out-of-root",
    );
    rmSync(link);
  });
});

/** Puts a database there whose row is in its log. */
function copyLogged(to: string): void {
  const path = join(folder, "made.db");
  using database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t (n INTEGER)");
  database.exec("DELETE FROM t; INSERT INTO t VALUES (43)");
  for (const suffix of ["", "-wal"]) copyFileSync(`${path}${suffix}`, `${to}${suffix}`);
}

describe("a path is a name and nothing else", () => {
  const names = [
    "a?mode=rwc.db",
    "a#fragment.db",
    "a%41%00.db",
    "a\nb.db",
    `a'b"c.db`,
    "file:a.db",
    "-a b ☃.db",
    ":memory:",
    " ",
  ];
  for (const name of names)
    test(JSON.stringify(name), async () => {
      const at = join(folder, "names", name);
      mkdirSync(dirname(at), { recursive: true });
      copyFileSync(plain, at);
      age(at);
      assert.equal(await visit(at), "in-place 42");
      copyLogged(at);
      const found = takeCensus(dirname(at));
      assert.equal(await visit(at), "copy 43");
      assert.deepEqual(takeCensus(dirname(at)), found);
    });

  test("of any length: what SQLite cannot open is copied", async () => {
    for (const [length, way] of [
      [503, "in-place"],
      [504, "in-place"],
      [505, "copy"],
      [512, "copy"],
      [513, "copy"],
      [700, "copy"],
    ] as const) {
      const parent = join(folder, "x".repeat(250), "y".repeat(200));
      const rest = length - parent.length - 1;
      const at = join(
        parent,
        rest > 250 ? join("z".repeat(200), "w".repeat(rest - 201)) : "w".repeat(rest),
      );
      assert.equal(at.length, length);
      mkdirSync(dirname(at), { recursive: true });
      copyFileSync(plain, at);
      age(at);
      assert.equal(await visit(at), `${way} 42`);
    }
  });
});
