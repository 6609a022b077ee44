import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, test } from "node:test";
import { makeFolder } from "./make-folder.ts";

const isPosix = process.platform !== "win32";

describe("makeFolder()", () => {
  let place = "";
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), "genkan-make-folder-"));
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  test("makes what leads to it, each for its owner alone, and takes what is there", () => {
    const path = join(place, "a", "b", "c");
    makeFolder(path);
    makeFolder(path);
    assert.ok(statSync(path).isDirectory());
    if (isPosix)
      for (const each of [path, join(place, "a")]) assert.equal(statSync(each).mode & 0o777, 0o700);
  });

  test("takes a link to a folder", { skip: !isPosix }, () => {
    symlinkSync(place, join(place, "link"));
    makeFolder(join(place, "link"));
    makeFolder(join(place, "link", "inner"));
    assert.ok(statSync(join(place, "inner")).isDirectory());
  });

  test("a file in the way, a link to nothing and a path below a file are refused", () => {
    writeFileSync(join(place, "file"), "");
    assert.throws(() => makeFolder(join(place, "file")), { code: "EEXIST" });
    if (!isPosix) return;
    symlinkSync(join(place, "nothing", "there"), join(place, "dangling"));
    assert.throws(() => makeFolder(join(place, "dangling")), { code: "EEXIST" });
    assert.throws(() => makeFolder(join(place, "file", "below")), { code: "ENOTDIR" });
  });

  test(
    "a folder that takes no other is refused at once",
    { skip: process.platform !== "linux" },
    () => {
      assert.throws(() => makeFolder("/proc/x"), { code: "ENOENT" });
      assert.throws(() => makeFolder("/proc/x/y/z"), { code: "ENOENT" });
    },
  );
});
