/** Tells whether the bytes of a database were a committed state when its fingerprint was taken, as far as can be seen. */

import type { CheckedDatabase } from "./check-database.ts";
import { findWriterLock } from "./locks.ts";

/**
 * - `still`: nobody is writing into the file.
 * - `writing`: a program is; it will have finished soon.
 * - `unfinished`: a change was begun, and nobody is seen who would finish it.
 */
export type WriterState = "still" | "writing" | "unfinished";

/** Looks at once, for it asks who holds a lock just now. */
export function findWriterState(
  path: string,
  { fingerprint, header }: CheckedDatabase,
): WriterState {
  const lock = findWriterLock(path, fingerprint.ino);
  if (fingerprint.isJournalHot) {
    if (lock === "none") return "unfinished";
    return lock === "writing" ? "writing" : "still"; // with the lock that is held now, a change is only prepared
  }
  return lock === "writing" && !header.isLogged ? "writing" : "still"; // else a write has to show in the log first
}

/** How long an unfinished change is waited for: its program may be at work where it is not seen, or has ended just now. */
export const unfinishedWaitMs = 500;
