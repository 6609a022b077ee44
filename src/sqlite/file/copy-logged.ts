/** Copies a database together with what its write-ahead log holds. */

import { fstatSync, readSync } from "node:fs";
import type { CheckedDatabase } from "./check-database.ts";
import { type CopyPlace, copyFile } from "./copy-file.ts";
import { copyStill, isOpen } from "./copy-still.ts";
import { takeFingerprint, type Fingerprint } from "./fingerprint.ts";
import type { RegularFile } from "./regular-file.ts";
import { DatabaseRefusal } from "./refusals.ts";
import { applyLog, logHeaderBytes, readLog, readLogHeader } from "./wal.ts";

/**
 * Gives a fingerprint that was taken before the log was read.
 *
 * Writers may go on. While the log is of one generation, the file is changed by checkpoints only, and these write pages that
 * are committed in the log: first the file is copied, torn as it may be, then every page of the log is laid over it. With a
 * new generation the log begins anew, by its header: then all was for nothing.
 */
export async function copyLogged(
  place: CopyPlace,
  file: RegularFile,
  log: RegularFile,
  before: CheckedDatabase,
): Promise<Fingerprint | "changed" | "unfinished"> {
  const { path, copy, signal } = place;
  const bytes = Buffer.alloc(logHeaderBytes);
  const header = readLogHeader(bytes.subarray(0, readSync(log.fd, bytes, 0, bytes.length, 0)));
  if (header === undefined) return copyStill(place, file, before); // SQLite takes such a log for empty
  if (header === "unsupported-format")
    throw new DatabaseRefusal(header, path, { detail: "its -wal" });
  if (header.pageSize !== before.header.pageSize)
    throw new DatabaseRefusal("unknown-sidecar", path, { detail: "a -wal of another database" });

  const { size } = fstatSync(file.fd); // only now: what an earlier generation added is not in this log
  await copyFile(file.fd, copy, size, signal);
  const between = takeFingerprint(path);
  if (between?.wal === undefined || !isOpen(file, between)) return "changed";
  if (between.isJournalHot) return "unfinished";
  const isSameLog = (now: Fingerprint | undefined): boolean =>
    now?.wal?.header === bytes.toString("hex") && now.wal.ino === String(log.stat.ino);
  if (!isSameLog(between)) return "changed";

  const committed = await readLog(log.fd, header, Number(between.wal.size), signal);
  if (committed !== undefined && !(await applyLog(log.fd, committed, copy, signal)))
    return "changed";
  return isSameLog(takeFingerprint(path)) ? between : "changed";
}
