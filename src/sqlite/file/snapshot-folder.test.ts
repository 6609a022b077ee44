import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { launchScout } from "../pool/launch.ts";
import { nameSnapshotFolder, sweepSnapshotFolders } from "./snapshot-folder.ts";

test("sweepSnapshotFolders() removes the folders of dead processes, and no other", async () => {
  const parent = mkdtempSync(join(tmpdir(), "genkan-sweep-"));
  try {
    const ours = nameSnapshotFolder(parent);
    const { pid: dead } = spawnSync(process.execPath, ["--version"]);
    const rename = (from: string | RegExp, to: string): string =>
      join(parent, basename(ours).replace(from, to));
    const ofDead = rename(`-${process.pid}-`, `-${dead}-`);
    const kept = [
      ours,
      rename(/^genkan-\d+-/, "genkan-4294967-"), // of another user, by its name
      rename(/^(genkan-\d+)-\d+-\d+-/, `$1-1-${dead}-`), // of another container
      `${ofDead}-more`,
      join(parent, "genkan-notes"),
    ];
    for (const folder of [ofDead, ...kept]) mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(ofDead, "a.db"), "left");
    const link = rename(`-${process.pid}-`, `-${dead}-`).replace(/.$/, "0");
    if (link !== ofDead) symlinkSync(ours, link);

    await sweepSnapshotFolders(parent);
    assert.equal(existsSync(ofDead), false);
    assert.deepEqual(kept.filter(existsSync), kept);
    if (link !== ofDead) assert.equal(existsSync(link), true); // a link is no folder of ours
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
});

test("nameSnapshotFolder() gives a path from the root: the processes that use it run elsewhere", () => {
  for (const parent of ["tmp", ".", "../tmp"]) assert.ok(isAbsolute(nameSnapshotFolder(parent)));
});

test("a scout, which has no TMPDIR, sweeps the folder that its copies go to", async () => {
  const parent = mkdtempSync(join(tmpdir(), "genkan-sweep-"));
  const folder = nameSnapshotFolder(parent);
  const { pid: dead } = spawnSync(process.execPath, ["--version"]);
  const ofDead = join(parent, basename(folder).replace(`-${process.pid}-`, `-${dead}-`));
  mkdirSync(ofDead, { mode: 0o700 });
  const scout = launchScout({ folder });
  try {
    for (let tries = 0; existsSync(ofDead) && tries < 1_000; tries++) await sleep(10);
    assert.equal(existsSync(ofDead), false);
  } finally {
    scout.kill("SIGKILL");
    rmSync(parent, { recursive: true, force: true });
  }
});
