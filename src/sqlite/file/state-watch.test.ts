import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { isSameState, takeFingerprint } from "./fingerprint.ts";
import { StateWatch } from "./state-watch.ts";

/** What is done to a database, and whether it is in another state then. */
const deeds: Readonly<Record<string, readonly [(place: Place) => void, boolean]>> = {
  "nothing at all": [() => {}, false],
  "a look by somebody else": [({ writer }) => writer.prepare("SELECT * FROM t").all(), false],
  "a row": [({ writer }) => writer.exec("INSERT INTO t VALUES (2)"), true],
  "a table": [({ writer }) => writer.exec("CREATE TABLE other (x)"), true],
  "a transaction that is taken back": [({ writer }) => writer.exec("BEGIN; ROLLBACK"), false],
  "another file in its place": [
    ({ path }) => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
    true,
  ],
  "its end": [({ path }) => rmSync(path), true],
};

for (const mode of ["DELETE", "WAL"])
  for (const [deed, [act, isOther]] of Object.entries(deeds))
    test(`journal mode ${mode}: ${deed} is ${isOther ? "" : "not "}seen, time and again`, (context) => {
      const place = makePlace(context, mode);
      const { path } = place;
      const fingerprint = takeFingerprint(path);
      assert.ok(fingerprint !== undefined);
      using watch = new StateWatch(path, fingerprint);
      assert.equal(watch.isUnchanged(), true);

      act(place);
      const now = takeFingerprint(path);
      assert.equal(now !== undefined && isSameState(fingerprint, now), !isOther);
      assert.equal(watch.isUnchanged(), !isOther);
      assert.equal(watch.isUnchanged(), !isOther);
    });

test("a log that comes later is seen, an empty one is none", (context) => {
  const { path, writer } = makePlace(context, "DELETE");
  writer.close();
  const fingerprint = takeFingerprint(path);
  assert.ok(fingerprint !== undefined);
  using watch = new StateWatch(path, fingerprint);
  writeFileSync(`${path}-wal`, "");
  assert.equal(watch.isUnchanged(), true);
  writeFileSync(`${path}-wal`, "x");
  assert.equal(watch.isUnchanged(), false);
});

test("a state in the middle of a change is the same as nothing", (context) => {
  const { path, writer } = makePlace(context, "DELETE");
  writer.close();
  writeFileSync(`${path}-journal`, "x");
  const fingerprint = takeFingerprint(path);
  assert.ok(fingerprint !== undefined);
  using watch = new StateWatch(path, fingerprint);
  assert.equal(watch.isUnchanged(), false);
});

interface Place {
  readonly path: string;
  readonly writer: DatabaseSync;
}

function makePlace(context: TestContext, mode: string): Place {
  const folder = mkdtempSync(join(tmpdir(), "genkan-watch-"));
  const path = join(folder, "some.db");
  const writer = new DatabaseSync(path);
  writer.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE t (x); INSERT INTO t VALUES (1)`);
  context.after(() => {
    if (writer.isOpen) writer.close();
    rmSync(folder, { recursive: true });
  });
  return { path, writer };
}
