/** What a proof of the audit log is given, and what it comes to. */

import type { AuditHead } from "./audit-record.ts";

/** Gives the records of an archive, one a line, or `undefined` when it is not there. */
export type ReadArchive = (name: string) => readonly string[] | undefined;

export interface VerifyOptions {
  /** A head that was kept elsewhere, as `genkan audit head` prints it; without one, nobody can tell that the end is gone. */
  readonly expectedHead?: string | undefined;
  /** Reads the records that were moved out; without it, the proof begins at those that are still in the log. */
  readonly readArchive?: ReadArchive | undefined;
}

export type AuditVerdict =
  | {
      readonly ok: true;
      /** How many records were proven, those in archives among them. */
      readonly records: number;
      /** The number of the first record that was proven. */
      readonly first: number;
      readonly head: AuditHead | undefined;
      /** Why the records before the first one were not proven; `undefined` when there are none. */
      readonly unproven: string | undefined;
    }
  | {
      readonly ok: false;
      readonly records: number;
      /** The number of the first broken record. */
      readonly seq: number;
      readonly reason: string;
    };

export function brokenAt(records: number, seq: number, reason: string): AuditVerdict {
  return { ok: false, records, seq, reason: `The audit record ${seq} breaks the chain: ${reason}` };
}
