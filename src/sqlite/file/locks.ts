/** Sees, where the system tells it, what other processes hold locked in a database; takes no lock itself. */

import { readFileSync } from "node:fs";
import { findMount } from "./mounts.ts";

/**
 * - `writing`: somebody may write into the file just now.
 * - `planning`: somebody has begun a change, and has not written into the file yet.
 * - `none`: nobody that is seen; of processes in other containers nothing is.
 */
export type WriterLock = "writing" | "planning" | "none";

/** Looks for a writer's lock on the file at this path, which is real; only Linux tells. */
export function findWriterLock(path: string, inode: string): WriterLock {
  const mount = findMount(path);
  if (mount === undefined) return "none";
  try {
    return readLockTable(readFileSync("/proc/locks", "latin1"), `${mount.device}:${inode}`);
  } catch {
    return "none"; // not everybody is told everywhere
  }
}

// Where SQLite locks: PENDING, RESERVED, and 510 bytes that are SHARED (a read lock) or EXCLUSIVE (a write lock).
const pendingByte = 0x40000000;
const reservedByte = pendingByte + 1;
const lastSharedByte = pendingByte + 511;

/** Reads lines such as `2: POSIX  ADVISORY  WRITE 815 fe:00:1967 1073741825 1073741825`. */
export function readLockTable(table: string, file: string): WriterLock {
  let found: WriterLock = "none";
  for (const line of table.split("\n")) {
    if (!line.includes(file)) continue;
    const [, type, , kind, , name, from = "", to = ""] = line.split(/\s+/);
    if (type !== "POSIX" || kind !== "WRITE" || name !== file) continue; // not SQLite's, a reader's, or only waited for
    const start = Number(from);
    const end = to === "EOF" ? Infinity : Number(to);
    const covers = (first: number, last: number): boolean => start <= last && end >= first;
    if (covers(pendingByte, pendingByte) || covers(reservedByte + 1, lastSharedByte))
      return "writing";
    if (covers(reservedByte, reservedByte)) found = "planning";
  }
  return found;
}
