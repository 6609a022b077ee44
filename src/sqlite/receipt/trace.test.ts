import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { openShelf } from "../../../fixtures/shelf.ts";
import { awaitLeftovers, markerName } from "./leftovers.ts";
import { receiptLimits } from "./limits.ts";
import { gatherActs, startTracing } from "./trace.ts";

/** A line of strace, and what is read from it. */
const lines: readonly (readonly [line: string, read: Readonly<Record<string, string>>])[] = [
  [
    'openat(AT_FDCWD</srv>, "a.db", O_RDWR|O_CREAT, 0644) = 3</srv/a.db>',
    { "/srv/a.db": "opened to write" },
  ],
  ['openat(AT_FDCWD</srv>, "a.db", O_RDONLY|O_CLOEXEC) = 3</srv/a.db>', {}],
  ['openat(AT_FDCWD</srv>, "a.db", O_RDWR) = -1 EACCES (Permission denied)', {}],
  ['openat(AT_FDCWD</srv>, "/dev/null", O_WRONLY) = 3</dev/null<char 1:3>>', {}],
  ['creat("/srv/a", 0644)                   = 3</srv/a>', { "/srv/a": "opened to write" }],
  ['unlink("/srv/a-journal")       = 0', { "/srv/a-journal": "removed" }],
  ['unlinkat(AT_FDCWD</srv>, "x/../a", 0) = 0', { "/srv/a": "removed" }],
  ['unlinkat(5</srv/sub>, "a", AT_REMOVEDIR) = 0', { "/srv/sub/a": "removed" }],
  ['mkdir("new", 0777) = 0', { new: "made" }],
  ['rename("/srv/a", "/srv/b") = 0', { "/srv/a": "renamed", "/srv/b": "renamed" }],
  [
    'renameat2(AT_FDCWD</srv>, "a", 4</tmp>, "b", RENAME_NOREPLACE) = 0',
    { "/srv/a": "renamed", "/tmp/b": "renamed" },
  ],
  ['symlink("/etc/passwd", "/srv/link") = 0', { "/srv/link": "made" }],
  ["ftruncate(3</srv/a.db>, 0) = 0", { "/srv/a.db": "cut" }],
  ["fchown(4</srv/a b\\76.db>, 0, 0) = 0", { "/srv/a b>.db": "owner changed" }],
  ['fchmodat(AT_FDCWD</srv>, "a\\303\\251\\n\\"", 0600) = 0', { '/srv/aé\\u{a}"': "mode changed" }],
  [
    'utimensat(AT_FDCWD</srv>, "a", [{tv_sec=1, tv_nsec=0} /* 1970 */, UTIME_OMIT], 0) = 0',
    { "/srv/a": "times set" },
  ],
  ["utimensat(3</srv/a>, NULL, NULL, 0) = 0", { "/srv/a": "times set" }],
  ['execve("/bin/sh", ["sh"], 0x7ff /* 20 vars */) = 0', {}],
  ["+++ exited with 0 +++", {}],
];

describe("gatherActs()", () => {
  for (const [line, read] of lines)
    test(`reads ${line}`, () => {
      const acts = new Map<string, Set<string>>();
      gatherActs(`${line}\n`, acts);
      assert.deepEqual(
        Object.fromEntries(Array.from(acts, ([path, own]) => [path, [...own].join()])),
        read,
      );
    });

  test("takes a bare name from where the process was seen to stand before", () => {
    const acts = new Map<string, Set<string>>();
    gatherActs('openat(AT_FDCWD</srv>, "a", O_RDONLY) = 3</srv/a>\nmkdir("q", 0777) = 0\n', acts);
    assert.deepEqual([...acts.keys()], ["/srv/q"]);
  });
});

describe("startTracing()", { skip: spawnSync("strace", ["-V"]).status !== 0 }, () => {
  test("reads what a command touched, and no more than it may; what it needs is gone with it", async () => {
    using shelf = openShelf();
    {
      using tracing = startTracing(shelf.temporary);
      const [command = "", ...args] = tracing.prefix;
      const script = "echo > a; echo > b; echo > c";
      const env = { ...process.env, [markerName]: shelf.folder };
      spawnSync(command, [...args, "sh", "-c", script], { cwd: shelf.folder, env });
      await awaitLeftovers(shelf.folder, 5_000); // strace ends a moment after the command
      const all = tracing.read(receiptLimits);
      assert.deepEqual([all.total, all.isWhole], [3, true]);
      const some = tracing.read({ ...receiptLimits, listed: 2 });
      assert.deepEqual([some.total, some.files.length], [3, 2]);
      const none = tracing.read({ ...receiptLimits, traceBytes: 10 });
      assert.deepEqual([none.total, none.isWhole], [0, false]);
    }
    assert.deepEqual(readdirSync(shelf.temporary), []);
  });
});
