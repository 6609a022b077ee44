/** The folder of a process's private copies, which nobody else may enter, and what is left of processes that died. */

import { randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { lstat, opendir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { getuid, kill, pid } from "node:process";
import { codeOf } from "../code-of.ts";
import { QueryError } from "../query-error.ts";

/** Gives a path, from the root, for the folder of this process, which is not there yet: most databases are never copied. */
export function nameSnapshotFolder(parent = tmpdir()): string {
  return resolve(parent, `${prefix()}${pid}-${randomBytes(8).toString("hex")}`);
}

/** Removes the folders of this user's dead processes; what cannot be removed is left for the next time. */
export async function sweepSnapshotFolders(parent = tmpdir()): Promise<void> {
  const start = prefix();
  for await (const { name } of await opendir(parent)) {
    if (!name.startsWith(start)) continue;
    const owner = /^(\d+)-[0-9a-f]{16}$/.exec(name.slice(start.length))?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const path = join(parent, name);
    try {
      const stat = await lstat(path);
      if (stat.isDirectory() && stat.uid === user()) await rm(path, { recursive: true });
    } catch {
      // another process sweeps too, or the folder is not ours to remove
    }
  }
}

/** Makes the error for a copy that finds no room. */
export function noPlace(cause: unknown): QueryError {
  const what = `There is no place for a private copy of the database (${codeOf(cause)})`;
  return new QueryError("database-unavailable", what, {
    hint: "TMPDIR=/a/folder/with/room",
    cause,
  });
}

/** A process is known by its number only among those that share the numbering: containers may share a folder all the same. */
function prefix(): string {
  return `genkan-${user()}-${numbering()}-`;
}

function user(): number {
  return getuid?.() ?? 0; // Windows has none
}

function numbering(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0"; // pid:[4026531836]
  } catch {
    return "0"; // not Linux
  }
}

function isAlive(id: number): boolean {
  try {
    kill(id, 0);
    return true;
  } catch (thrown) {
    return !(thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH");
  }
}
