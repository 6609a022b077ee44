import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
      const paths = folders.map((folder) => join(folder, "x.db"));
      const visits =
        place.as === undefined || !isRoot
          ? await Promise.all(paths.map(visit))
          : visitAs(place.as, paths);
      assert.deepEqual(folders.map(takeCensus), found);
      for (const [at, state] of databaseStates.entries())
        await t.test(state.name, () => {
          assert.equal(visits[at], state.visit);
        });
    });
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

function visitAs(user: number, paths: readonly string[]): readonly string[] {
  return JSON.parse(
    execFileSync(process.execPath, [visitor, String(user), ...paths], { encoding: "utf8" }),
  );
}
