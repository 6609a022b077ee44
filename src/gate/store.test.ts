import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { numberOf, textOf } from "./row.ts";
import { openSqliteStore, stateFileName } from "./sqlite-store.ts";
import { StateError, type StateFailure } from "./state-error.ts";
import type { Store } from "./store.ts";

const notes = {
  feature: "note",
  steps: ["CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"],
};

function makeFolder(): Disposable & { readonly path: string; readonly file: string } {
  const path = mkdtempSync(join(tmpdir(), "genkan-store-"));
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  return { path, file: join(path, stateFileName), [Symbol.dispose]: remove };
}

function open(
  folder: string,
  options: { lockWaitMs?: number; maxStateBytes?: number } = {},
): Store {
  return openSqliteStore({ folder, migrations: [notes], lockWaitMs: 20, ...options });
}

function assertFails(act: () => unknown, kind: StateFailure, text: RegExp): void {
  assert.throws(act, (thrown) => {
    assert.ok(thrown instanceof StateError, String(thrown));
    assert.equal(thrown.kind, kind);
    assert.match(thrown.message, text);
    assert.notEqual(thrown.hint, "");
    return true;
  });
}

function countNotes(store: Store): number {
  return numberOf(store.prepare("SELECT count(*) AS n FROM note").get() ?? {}, "n");
}

describe("openSqliteStore()", () => {
  test("makes the folder and the file for their owner alone", () => {
    using folder = makeFolder();
    const inner = join(folder.path, "a", "b");
    using store = open(inner);
    assert.equal(store.place, join(inner, stateFileName));
    assert.equal(statSync(inner).mode & 0o777, 0o700);
    store.prepare("INSERT INTO note VALUES (1, 'x')").run();
    for (const suffix of ["", "-wal", "-shm"])
      assert.equal(statSync(store.place + suffix).mode & 0o777, 0o600);
  });

  test("keeps what was written, and applies each migration once", () => {
    using folder = makeFolder();
    {
      using store = open(folder.path);
      store.prepare("INSERT INTO note VALUES (1, ?)").run("kept");
    }
    const later = {
      feature: "note",
      steps: [
        ...notes.steps,
        "ALTER TABLE note ADD COLUMN more TEXT;\nUPDATE note SET more = 'new';\n",
      ],
    };
    for (let time = 1; time <= 2; time++) {
      using store = openSqliteStore({ folder: folder.path, migrations: [later] });
      const row = store.prepare("SELECT text, more FROM note").get() ?? {};
      assert.deepEqual([textOf(row, "text"), textOf(row, "more")], ["kept", "new"]);
    }
    assertFails(() => open(folder.path), "newer", /"note" have version 2, expected at most 1/);
  });

  test("refuses a file that is not its own, by name", () => {
    using folder = makeFolder();
    const database = new DatabaseSync(folder.file);
    database.exec("CREATE TABLE other (a)");
    database.close();
    assertFails(() => open(folder.path), "foreign", /the database of another program/);
    assert.ok(!readFileSync(folder.file).includes("migration"));
  });

  test("refuses a link, a file that is no database, and a folder's name that is a file's", () => {
    using folder = makeFolder();
    const inner = join(folder.path, "links");
    open(inner)[Symbol.dispose]();
    const linked = makeFolder();
    symlinkSync(join(inner, stateFileName), linked.file);
    assertFails(() => open(linked.path), "foreign", /expected a file/);
    linked[Symbol.dispose]();
    writeFileSync(
      folder.file,
      "not a database, but longer than a header of one hundred bytes".repeat(3),
    );
    assertFails(() => open(folder.path), "corrupt", /no SQLite file/);
    assertFails(() => open(folder.file), "unreachable", /in the way/);
  });

  test("says that a damaged file is damaged", () => {
    using folder = makeFolder();
    {
      using store = open(folder.path);
      const insert = store.prepare("INSERT INTO note (text) VALUES (?)");
      store.transact(() => {
        for (let n = 0; n < 500; n++) insert.run("x".repeat(200));
      });
    }
    const bytes = readFileSync(folder.file);
    writeFileSync(folder.file, bytes.fill(0xff, 4096 * 2)); // the header and the schema stay
    assertFails(
      () => {
        using store = open(folder.path);
        countNotes(store);
        store.prepare("SELECT max(length(text)) FROM note").get();
      },
      "corrupt",
      /damaged/,
    );
  });

  test("can be opened by eight processes at once where there is no state yet", async () => {
    using folder = makeFolder();
    const program = `
      const { openSqliteStore } = await import(${JSON.stringify(new URL("sqlite-store.ts", import.meta.url).href)});
      using store = openSqliteStore({ folder: process.argv[1], migrations: [JSON.parse(process.argv[2])] });
      store.prepare("INSERT INTO note (text) VALUES (?)").run("hello");`;
    const children = Array.from({ length: 8 }, () =>
      spawn(
        process.execPath,
        ["--input-type=module", "-e", program, folder.path, JSON.stringify(notes)],
        { stdio: ["ignore", "ignore", "inherit"] },
      ),
    );
    const exits = await Promise.all(children.map((child) => once(child, "exit")));
    for (const exit of exits) assert.deepEqual(exit, [0, null]);
    using store = open(folder.path);
    assert.equal(countNotes(store), 8);
  });
});

describe("a store", () => {
  test("transact() keeps all of its work, or nothing of it; an inner one is a part of the outer one", () => {
    using folder = makeFolder();
    using store = open(folder.path);
    const insert = store.prepare("INSERT INTO note (text) VALUES (?)");
    assert.equal(
      store.transact(() => store.transact(() => insert.run("a"))),
      1,
    );
    assert.throws(() => {
      store.transact(() => {
        insert.run("b");
        store.transact(() => insert.run("c"));
        throw new Error("no");
      });
    }, /^Error: no$/);
    assert.equal(countNotes(store), 1);
    insert.run("d");
    assert.equal(countNotes(store), 2);
  });

  test("is locked while another writes, and says so; reading goes on", () => {
    using folder = makeFolder();
    using store = open(folder.path);
    const other = new DatabaseSync(folder.file);
    other.exec("BEGIN IMMEDIATE");
    const insert = store.prepare("INSERT INTO note (text) VALUES ('x')");
    assertFails(
      () => store.transact(() => insert.run()),
      "locked",
      /Cannot write the state ".*": it is locked/,
    );
    assertFails(() => insert.run(), "locked", /locked/);
    assert.equal(countNotes(store), 0);
    other.exec("ROLLBACK");
    other.close();
    assert.equal(
      store.transact(() => insert.run()),
      1,
    );
  });

  test("is full at its size, loses nothing it had, and works again when there is room", () => {
    using folder = makeFolder();
    using store = open(folder.path, { maxStateBytes: 64 * 1024 });
    const insert = store.prepare("INSERT INTO note (text) VALUES (?)");
    insert.run("first");
    assertFails(
      () =>
        store.transact(() => {
          for (;;) insert.run("x".repeat(1000));
        }),
      "full",
      /full/,
    );
    assert.equal(countNotes(store), 1);
    assert.equal(insert.run("second"), 1);
  });

  test("is closed after it was disposed of", () => {
    using folder = makeFolder();
    const store = open(folder.path);
    const insert = store.prepare("INSERT INTO note (text) VALUES ('x')");
    store[Symbol.dispose]();
    store[Symbol.dispose]();
    assertFails(() => store.transact(() => insert.run()), "closed", /closed/);
    assertFails(() => insert.run(), "closed", /closed/);
  });
});
