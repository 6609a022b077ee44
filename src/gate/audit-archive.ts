/** Records of the audit log that were moved out: written as a file, one record a line, and proven. */

import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../protocol/index.ts";
import { parseAuditBody } from "./audit-anchor.ts";
import { parseAuditHead } from "./audit-head.ts";
import { hashRecord, type AuditHead, type SegmentEntry } from "./audit-record.ts";
import type { Archive } from "./audit-rotation.ts";
import { brokenAt, type AuditVerdict, type VerifyOptions } from "./audit-verify.ts";
import { toStateError } from "./state-error.ts";

/** Makes an archive of files such as `audit-1-10000.jsonl` in a folder, for its owner alone. */
export function createAuditArchive(folder: string): Archive {
  return (from, to, lines) => {
    const name = `audit-${from}-${to}.jsonl`;
    const path = join(folder, name);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const file = openSync(`${path}.part`, "w", 0o600);
      try {
        for (const line of lines) writeSync(file, `${line}\n`);
        fsyncSync(file); // before the log forgets them
      } finally {
        closeSync(file);
      }
      renameSync(`${path}.part`, path);
    } catch (thrown) {
      throw toStateError(thrown, "write the audit archive", path) ?? thrown;
    }
    return name;
  };
}

/** Proves records that were moved out, one a line, by what the segment record says of them. */
export function verifyAuditArchive(
  lines: Iterable<string>,
  segment: Pick<SegmentEntry, "from" | "to" | "prev" | "head">,
  { expectedHead }: VerifyOptions = {},
): AuditVerdict {
  const expected = expectedHead === undefined ? undefined : parseAuditHead(expectedHead);
  let last: AuditHead = { seq: segment.from - 1, hash: segment.prev };
  for (const body of lines) {
    const seq = last.seq + 1;
    const records = seq - segment.from;
    const parsed = parseAuditBody(body);
    if (!isObject(parsed) || parsed["seq"] !== seq)
      return brokenAt(records, seq, "it is missing in the archive");
    last = { seq, hash: hashRecord(last.hash, body) };
    if (expected?.seq === seq && expected.hash !== last.hash)
      return brokenAt(
        records,
        seq,
        "its hash is not the expected one, or a record before it was changed",
      );
  }
  const records = last.seq - segment.from + 1;
  if (last.seq !== segment.to)
    return brokenAt(
      records,
      Math.min(last.seq, segment.to) + 1,
      `the archive ends at ${last.seq}, expected ${segment.to}`,
    );
  if (last.hash !== segment.head)
    return brokenAt(
      0,
      segment.from,
      `it, or another up to ${segment.to}, was changed in the archive`,
    );
  return { ok: true, records, first: segment.from, head: last };
}
