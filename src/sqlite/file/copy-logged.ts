/** Copies a database together with what its write-ahead log holds. */

import type { FileHandle } from "node:fs/promises";
import type { CheckedDatabase } from "./check-database.ts";
import { type CopyPlace, copyFile } from "./copy-file.ts";
import { copyStill, isOpen } from "./copy-still.ts";
import { takeFingerprint, type Fingerprint } from "./fingerprint.ts";
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
  file: FileHandle,
  log: FileHandle,
  before: CheckedDatabase,
): Promise<Fingerprint | "changed" | "unfinished"> {
  const { path, copy, signal } = place;
  const bytes = Buffer.alloc(logHeaderBytes);
  const { bytesRead } = await log.read(bytes, 0, bytes.length, 0);
  const header = readLogHeader(bytes.subarray(0, bytesRead));
  if (header === undefined) return copyStill(place, file, before); // SQLite takes such a log for empty
  if (header === "unsupported-format")
    throw new DatabaseRefusal(header, path, { detail: "its -wal" });
  if (header.pageSize !== before.header.pageSize)
    throw new DatabaseRefusal("unknown-sidecar", path, { detail: "a -wal of another database" });

  await copyFile(file, copy, signal);
  const between = takeFingerprint(path);
  if (between?.wal === undefined || !(await isOpen(file, between))) return "changed";
  if (between.isJournalHot) return "unfinished";
  const isSameLog = async (now: Fingerprint | undefined): Promise<boolean> => {
    const { ino } = await log.stat({ bigint: true });
    return now?.wal?.header === bytes.toString("hex") && now.wal.ino === String(ino);
  };
  if (!(await isSameLog(between))) return "changed";

  const committed = await readLog(log, header, Number(between.wal.size), signal);
  if (committed !== undefined && !(await applyLog(log, committed, copy, signal))) return "changed";
  return (await isSameLog(takeFingerprint(path))) ? between : "changed";
}
