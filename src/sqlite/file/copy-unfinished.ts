/** Copies a database while a program writes a change into it, as it was before that change. */

import { fstatSync } from "node:fs";
import type { CheckedDatabase } from "./check-database.ts";
import { copyFile, type CopyPlace } from "./copy-file.ts";
import { isOpen } from "./copy-still.ts";
import { takeFingerprint, type Fingerprint } from "./fingerprint.ts";
import { readJournalHeader, undoChange } from "./journal.ts";
import { lookAt, type RegularFile } from "./regular-file.ts";

/**
 * Gives a fingerprint that no later one is the same state as, for the change is finished at any moment.
 *
 * While one journal stays, all that is written into the file is of one change, and each page is in the journal before it is
 * overwritten: first the file is copied, torn as it may be, then every page of the journal is laid over it.
 */
export async function copyUnfinished(
  { path, copy, signal }: CopyPlace,
  file: RegularFile,
  journal: RegularFile,
  { fingerprint: before }: CheckedDatabase,
): Promise<Fingerprint | "changed"> {
  const first = readJournalHeader(journal.fd);
  if (first === undefined || !isOpen(file, before)) return "changed";
  const { size } = fstatSync(file.fd); // only now: a change before this one may have made it longer
  await copyFile(file.fd, copy, size, signal);
  const between = takeFingerprint(path);
  if (between?.isJournalHot !== true || between.ino !== before.ino) return "changed";
  if (!(await undoChange(journal.fd, copy, signal))) return "changed";

  const last = readJournalHeader(journal.fd);
  const now = lookAt(`${path}-journal`);
  return last?.nonce === first.nonce && now?.ino === journal.stat.ino ? between : "changed";
}
