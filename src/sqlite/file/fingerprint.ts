/** Tells by a few bytes and times whether a database has changed, without a lock. */

import { readSync } from "node:fs";
import { lookAt, openRegularFile } from "./regular-file.ts";

/** What changes whenever a database does. It goes through JSON unharmed: large numbers are decimal strings. */
export interface Fingerprint {
  readonly dev: string;
  readonly ino: string;
  readonly size: string;
  readonly mtimeNs: string;
  readonly ctimeNs: string;
  /** The first 100 bytes, in hexadecimal: page size, versions, change counter, number of pages. */
  readonly header: string;
  /** The write-ahead log, where it is there and not empty. */
  readonly wal?: LogFingerprint;
  /** Whether a rollback journal says that a change was begun and not finished. */
  readonly isJournalHot: boolean;
  /** When it was taken, by this machine's clock, in milliseconds. */
  readonly takenAtMs: number;
}

export interface LogFingerprint {
  readonly ino: string;
  readonly size: string;
  readonly mtimeNs: string;
  /** The first 32 bytes, in hexadecimal, with the salts that tell one generation of the log from the next. */
  readonly header: string;
}

/**
 * Takes the fingerprint of the database at this path, which is real; `undefined` where no regular file can be read.
 *
 * It opens and closes the file: where this same process also writes the database through SQLite, that gives up SQLite's locks
 * (POSIX locks belong to process and file), so such a process takes no fingerprints of it.
 */
export function takeFingerprint(path: string): Fingerprint | undefined {
  const takenAtMs = Date.now(); // before the look: what changes later is later than this
  using file = openRegularFile(path);
  const header = file === undefined ? undefined : readHeader(file.fd, 100);
  if (file === undefined || header === undefined) return undefined;
  const wal = takeLogFingerprint(`${path}-wal`);
  return {
    dev: String(file.stat.dev),
    ino: String(file.stat.ino),
    size: String(file.stat.size),
    mtimeNs: String(file.stat.mtimeNs),
    ctimeNs: String(file.stat.ctimeNs),
    header,
    ...(wal !== undefined && { wal }),
    isJournalHot: isJournalHot(`${path}-journal`),
    takenAtMs,
  };
}

/**
 * Whether both are of the same committed state; for certain only if the earlier one `isSettled`.
 *
 * What was taken during a change is the same as nothing, for its end may leave no trace but in the journal. The later one's
 * journal is not asked: while the bytes of the database stand still, a change that has begun has not touched them.
 */
export function isSameState(earlier: Fingerprint, later: Fingerprint): boolean {
  return !earlier.isJournalHot && isUntouched(earlier, later);
}

/** Whether nothing was written in between, be it committed or not; for certain only if the earlier one `isSettled`. */
export function isUntouched(earlier: Fingerprint, later: Fingerprint): boolean {
  return (
    earlier.dev === later.dev &&
    earlier.ino === later.ino &&
    earlier.size === later.size &&
    earlier.mtimeNs === later.mtimeNs &&
    earlier.ctimeNs === later.ctimeNs &&
    earlier.header === later.header &&
    earlier.wal?.ino === later.wal?.ino &&
    earlier.wal?.size === later.wal?.size &&
    earlier.wal?.mtimeNs === later.wal?.mtimeNs &&
    earlier.wal?.header === later.wal?.header
  );
}

/**
 * Whether the last change was so long before that another one could not bear the same time: a kernel moves the clock of its
 * files only every few milliseconds, and some file systems know whole seconds only.
 *
 * @param now when the fingerprint was taken; a later moment proves nothing.
 */
export function isSettled(fingerprint: Fingerprint, now = fingerprint.takenAtMs): boolean {
  const { mtimeNs, wal } = fingerprint;
  return isOldEnough(mtimeNs, now) && (wal === undefined || isOldEnough(wal.mtimeNs, now));
}

const tickMs = 50;
const coarseTickMs = 2_100; // FAT counts in twos of seconds

function isOldEnough(mtimeNs: string, now: number): boolean {
  const isCoarse = mtimeNs.endsWith("000000000");
  const age = Math.abs(now - Number(BigInt(mtimeNs) / 1_000_000n)); // a time in the future is not one of a change now
  return age > (isCoarse ? coarseTickMs : tickMs);
}

function takeLogFingerprint(path: string): LogFingerprint | undefined {
  const there = lookAt(path);
  if (there === undefined || there.size === 0n) return undefined;
  using file = openRegularFile(path);
  const { ino, size, mtimeNs } = file?.stat ?? there;
  const header = (file === undefined ? undefined : readHeader(file.fd, 32)) ?? ""; // its size shows that there is one
  return { ino: String(ino), size: String(size), mtimeNs: String(mtimeNs), header };
}

/** SQLite itself takes a journal for hot when its first byte is not 0 (and nobody holds a lock). */
function isJournalHot(path: string): boolean {
  const there = lookAt(path);
  if (there === undefined || there.size === 0n) return false;
  using file = openRegularFile(path);
  const first = file === undefined ? undefined : readHeader(file.fd, 1);
  if (first !== undefined) return first !== "" && first !== "00";
  return lookAt(path) !== undefined; // unless it is gone since, nobody can tell
}

/** In hexadecimal; `undefined` where the file cannot be read. */
function readHeader(fd: number, length: number): string | undefined {
  const bytes = Buffer.alloc(length);
  try {
    return bytes.toString("hex", 0, readSync(fd, bytes, 0, length, 0));
  } catch {
    return undefined; // a disk fails, or what looks like a file is none: `inspectDatabase` says so
  }
}
