import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { startProgram } from "../../../fixtures/databases/program.ts";
import { takeFingerprint } from "./fingerprint.ts";
import { findWriterLock, readLockTable } from "./locks.ts";
import { findMount, isNetwork, readMount } from "./mounts.ts";

describe("findWriterLock()", () => {
  test("sees what another process holds", async () => {
    const folder = mkdtempSync(join(tmpdir(), "genkan-locks-"));
    try {
      const path = join(folder, "x.db");
      await using program = await startProgram(path);
      const seen = (): string => {
        const fingerprint = takeFingerprint(path);
        return fingerprint === undefined ? "no file" : findWriterLock(path, fingerprint.ino);
      };
      await program.run("CREATE TABLE t (n INTEGER)");
      assert.equal(seen(), "none");
      for (const [sql, expected] of [
        ["BEGIN; SELECT * FROM t", "none"],
        ["INSERT INTO t VALUES (1)", "planning"],
        ["COMMIT", "none"],
        ["BEGIN EXCLUSIVE", "writing"],
        ["ROLLBACK", "none"],
        ["BEGIN IMMEDIATE", "planning"],
      ] as const) {
        await program.run(sql);
        assert.equal(seen(), expected, sql);
      }
      await program.kill();
      assert.equal(seen(), "none");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("reads the kernel's table", () => {
    const lock = (kind: string, from: number, to: number | string, file = "fe:00:7"): string =>
      `1: POSIX  ADVISORY  ${kind} 815 ${file} ${from} ${to}\n`;
    for (const [table, expected] of [
      ["", "none"],
      [lock("READ ", 1073741826, 1073742335), "none"],
      [lock("WRITE", 1073741825, 1073741825), "planning"],
      [lock("WRITE", 1073741824, 1073741824), "writing"],
      [lock("WRITE", 1073741826, 1073742335), "writing"],
      [lock("WRITE", 1073741825, 1073741825) + lock("WRITE", 1073741826, 1073742335), "writing"],
      [lock("WRITE", 0, "EOF"), "writing"],
      [lock("WRITE", 120, 127), "none"],
      [lock("WRITE", 1073741826, 1073742335, "fe:00:77"), "none"],
      [lock("WRITE", 1073741826, 1073742335, "fe:01:7"), "none"],
      ["1: -> POSIX  ADVISORY  WRITE 815 fe:00:7 1073741826 1073742335\n", "none"], // only waited for
      ["1: FLOCK  ADVISORY  WRITE 815 fe:00:7 0 EOF\n", "none"], // not of SQLite
    ] as const)
      assert.equal(readLockTable(table, "fe:00:7"), expected, table);
  });
});

describe("findMount()", () => {
  const table = [
    "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
    "28 27 0:31 / /mnt/office rw,relatime shared:5 - nfs4 server:/share rw",
    "29 27 8:16 / /mnt/office/disk rw - xfs /dev/sdb rw",
    String.raw`30 27 0:33 / /mnt/two\040words rw - fuse.sshfs me@host: rw`,
    "31 27 0:34 / /mnt/box rw - fuse.fuse-overlayfs fuse-overlayfs rw",
    "32 27 0:35 / /mnt/over rw - ext4 /dev/sdc rw",
    "33 32 0:300 / /mnt/over rw - cifs //nas/share rw",
    "",
  ].join("\n");

  test("goes by the deepest mount, and of two on one folder by the later", () => {
    for (const [path, device, type, isFar] of [
      ["/home/x.db", "fe:00", "ext4", false],
      ["/mnt/office/x.db", "00:1f", "nfs4", true],
      ["/mnt/officer/x.db", "fe:00", "ext4", false],
      ["/mnt/office/disk/x.db", "08:10", "xfs", false],
      ["/mnt/two words/x.db", "00:21", "fuse.sshfs", true],
      ["/mnt/box/x.db", "00:22", "fuse.fuse-overlayfs", false],
      ["/mnt/over/x.db", "00:12c", "cifs", true],
    ] as const) {
      const mount = readMount(table, path);
      assert.deepEqual(mount, { device, type });
      assert.equal(isNetwork(mount), isFar);
    }
    assert.equal(readMount("", "/x.db"), undefined);
  });

  test("finds that of a folder of this machine", { skip: process.platform !== "linux" }, () => {
    const mount = findMount(tmpdir());
    assert.ok(mount !== undefined && !isNetwork(mount));
  });
});
