// A file that only its owner may read.

import assert from "node:assert/strict";
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readSecretFile, writeSecretFile } from "./secret-file.ts";

test("a secret is written for its owner alone, as a whole, and read back", () =>
  inFolder(async (folder) => {
    const path = join(folder, "new", "secret.json");
    assert.equal(await readSecretFile(path), undefined);
    await writeSecretFile(path, { a: 1 });
    await writeSecretFile(path, { a: 2 });
    assert.deepEqual(await readSecretFile(path), { a: 2 });
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, "new"))).mode & 0o777, 0o700);
    assert.deepEqual(await readdir(join(folder, "new")), ["secret.json"]);
  }));

test("a file that others may read is refused, with what to type", () =>
  inFolder(async (folder) => {
    const path = join(folder, "secret.json");
    await writeFile(path, "{}");
    await chmod(path, 0o640);
    await assert.rejects(readSecretFile(path), /its mode is 0640, expected 0600 \(chmod 600 /);
  }));

test("a file that is no JSON is refused without its text", () =>
  inFolder(async (folder) => {
    const path = join(folder, "secret.json");
    await writeFile(path, "hunter2", { mode: 0o600 });
    await assert.rejects(readSecretFile(path), (error) => {
      assert.ok(error instanceof Error && error.message.includes("it is not JSON"));
      assert.doesNotMatch(`${error.stack}${String(error.cause)}`, /hunter2/);
      return true;
    });
  }));

async function inFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "genkan-"));
  try {
    await act(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
