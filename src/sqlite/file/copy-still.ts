/** Copies a database without a log, between two changes. */

import type { CheckedDatabase } from "./check-database.ts";
import { type CopyPlace, copyFile, isSameContent } from "./copy-file.ts";
import { isSettled, isUntouched, takeFingerprint, type Fingerprint } from "./fingerprint.ts";
import type { RegularFile } from "./regular-file.ts";
import { findWriterState } from "./writer.ts";

/**
 * Gives the fingerprint of the moment whose state was copied; nobody was seen writing after `before` was taken.
 *
 * Where the fingerprint is settled, nothing was written while it stays the same. Where it is not, all is read twice: what was
 * the same both times was so at each moment between, also at the one at which nobody was seen writing.
 */
export async function copyStill(
  { path, copy, signal }: CopyPlace,
  file: RegularFile,
  { fingerprint: before, header }: CheckedDatabase,
): Promise<Fingerprint | "changed"> {
  if (!isOpen(file, before)) return "changed";
  await copyFile(file.fd, copy, Number(before.size), signal);
  const between = takeFingerprint(path);
  if (between === undefined || !isUntouched(before, between)) return "changed";
  if (isSettled(before)) return before;

  if (findWriterState(path, { fingerprint: between, header }) !== "still") return "changed";
  if (!(await isSameContent(file.fd, copy, signal))) return "changed";
  const after = takeFingerprint(path);
  return after !== undefined && isUntouched(between, after) ? between : "changed";
}

/** Whether this open file is the one that was looked at: at its path there may be another by now. */
export function isOpen({ stat }: RegularFile, { dev, ino }: Fingerprint): boolean {
  return String(stat.dev) === dev && String(stat.ino) === ino;
}
