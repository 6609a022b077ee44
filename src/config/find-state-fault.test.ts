import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { openShelf } from "../../fixtures/shelf.ts";
import { findStateFault } from "./find-state-fault.ts";

const isOrdinary = process.platform !== "win32" && process.getuid?.() !== 0;

test("findStateFault() says why a state folder cannot be made or written, and makes none", () => {
  const place = mkdtempSync(join(tmpdir(), "genkan-state-fault-"));
  try {
    writeFileSync(join(place, "file"), "");
    assert.equal(findStateFault(join(place, "a", "b")), undefined);
    assert.equal(findStateFault(join(place, "file", "state")), "it cannot be made (ENOTDIR)");
    assert.equal(findStateFault(join(place, "file")), "it cannot be written (ENOTDIR)");
    assert.deepEqual(readdirSync(place), ["file"]);
    if (!isOrdinary) return; // nothing is read-only to root, and not in this way to Windows
    mkdirSync(join(place, "closed"));
    chmodSync(join(place, "closed"), 0o500);
    assert.equal(findStateFault(join(place, "closed", ".genkan")), "it cannot be made (EACCES)");
    assert.equal(findStateFault(join(place, "closed")), "it cannot be written (EACCES)");
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});

test("check warns of a state that serve could not open", async () => {
  using shelf = openShelf();
  const query = "{ name: list, description: All., statement: SELECT name FROM items }";
  writeFileSync(
    join(shelf.folder, "genkan.yaml"),
    `name: a\nstate: shop.db/state\ndoors:\n  a: { kind: sqlite, path: shop.db, queries: [${query}] }\n`,
  );
  const { code, stdout, stderr } = await shelf.run("check");
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /^ {2}genkan\.yaml:2:8: Look at "state": "\S+state" is where genkan serve keeps its state, and it cannot be made \(ENOTDIR\), expected state: \/a\/folder\/you\/may\/write$/m,
  );
});
