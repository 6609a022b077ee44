import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { takeCensus } from "../../../fixtures/databases/read-copy.ts";
import { databaseStates, makeState } from "../../../fixtures/databases/states.ts";
import { visit } from "../../../fixtures/databases/visit.ts";

const visitor = fileURLToPath(new URL("../../../fixtures/databases/visitor.ts", import.meta.url));
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/** Whose the folder is, what may be done there, and whose eyes look. */
const places = [
  { name: "a folder of ours", owner: 0, folder: 0o755, file: 0o644, as: undefined },
  { name: "a read-only folder", owner: nobody, folder: 0o555, file: 0o444, as: nobody },
  { name: "another user's folder", owner: 0, folder: 0o755, file: 0o644, as: nobody },
  { name: "a folder of a user that is not root", owner: nobody, folder: 0o755, file: 0o644, as: nobody },
] as const; // prettier-ignore

describe("a database in each state", () => {
  const root = mkdtempSync(join(tmpdir(), "genkan-states-"));
  const folders = databaseStates.map((_, at) => join(root, String(at)));
  const running = new AsyncDisposableStack();

  before(async () => {
    chmodSync(root, 0o755);
    for (const folder of folders) mkdirSync(folder);
    const made = databaseStates.map((state, at) => makeState(state, folders[at] ?? ""));
    for (const state of await Promise.all(made)) running.use(state);
    await sleep(100); // a file that has just been written is copied: whether it changes again cannot be told yet
  });
  after(async () => {
    await running.disposeAsync();
    rmSync(root, { recursive: true, force: true });
  });

  for (const place of places) {
    test(`is read or refused in ${place.name}, and nothing in it changes`, async (t) => {
      for (const folder of folders) settle(folder, place);
      const found = folders.map(takeCensus);
      const visits = await visitAs(place.as, folders);
      assert.deepEqual(folders.map(takeCensus), found);
      for (const [at, state] of databaseStates.entries())
        await t.test(state.name, () => {
          assert.equal(visits[at], state.visit);
        });
    });
  }
});

test("a database that its visitor may not read is refused, and stays as it is", async () => {
  const root = mkdtempSync(join(tmpdir(), "genkan-unreadable-"));
  try {
    chmodSync(root, 0o755);
    const folders = ["file", "log", "folder"].map((name) => join(root, name));
    for (const folder of folders) {
      mkdirSync(folder);
      using database = new DatabaseSync(join(root, `${basename(folder)}.db`));
      database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (n INTEGER)");
      for (const suffix of ["", "-wal"])
        copyFileSync(`${folder}.db${suffix}`, join(folder, `x.db${suffix}`));
    }
    const found = folders.map(takeCensus);
    const shut = ["file/x.db", "log/x.db-wal", "folder"].map((name) => join(root, name));
    const modes = shut.map((path) => statSync(path).mode);
    for (const path of shut) chmodSync(path, 0o000);
    const visits = await visitAs(nobody, folders);
    for (const [at, path] of shut.entries()) chmodSync(path, modes[at] ?? 0);
    assert.deepEqual(visits, Array(3).fill("refused: unreadable"));
    assert.deepEqual(folders.map(takeCensus), found);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

function settle(folder: string, { owner, folder: mode, file }: (typeof places)[number]): void {
  for (const name of readdirSync(folder)) {
    chmodSync(join(folder, name), file);
    if (isRoot) chownSync(join(folder, name), owner, owner);
  }
  chmodSync(folder, mode);
  if (isRoot) chownSync(folder, owner, owner);
}

/** Only root can make itself another user: anybody else looks with its own eyes. */
async function visitAs(
  user: number | undefined,
  folders: readonly string[],
): Promise<readonly string[]> {
  const paths = folders.map((folder) => join(folder, "x.db"));
  if (user === undefined || !isRoot) return Promise.all(paths.map(visit));
  const command = [visitor, String(user), ...paths];
  return JSON.parse(execFileSync(process.execPath, command, { encoding: "utf8" }));
}
