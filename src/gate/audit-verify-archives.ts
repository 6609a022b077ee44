/** Proves the records that were moved out of the audit log, segment by segment, as far as their archives are there. */

import { isObject } from "../protocol/index.ts";
import { parseAuditBody, parseSegment, toAnchor, type Segment } from "./audit-anchor.ts";
import { parseAuditHead } from "./audit-head.ts";
import { genesisHash, hashRecord, type AuditHead } from "./audit-record.ts";
import {
  brokenAt,
  type AuditVerdict,
  type ReadArchive,
  type VerifyOptions,
} from "./audit-verdict.ts";

/**
 * Goes on from a proven log to its archives, newest first: what tells of a segment stands in the log or in a later archive.
 *
 * @param segments those that the log tells of, oldest first
 */
export function verifyArchives(
  proven: Extract<AuditVerdict, { ok: true }>,
  segments: readonly Segment[],
  expected: AuditHead | undefined,
  read: ReadArchive | undefined,
): AuditVerdict {
  const known = new Map(segments.map((segment) => [segment.to, segment]));
  let { records } = proven;
  let before = toAnchor(segments.at(-1));
  let unproven: string | undefined;
  while (before.seq > 0) {
    const segment = known.get(before.seq);
    if (segment === undefined || segment.head !== before.hash)
      return brokenAt(0, before.seq, "nothing in the log tells of its segment");
    const lines = openArchive(segment, read);
    if (typeof lines === "string") {
      unproven = lines;
      break;
    }
    const verdict = verifyLines(lines, segment, expected);
    if (!verdict.ok) return verdict;
    records += verdict.records;
    before = { seq: segment.from - 1, hash: segment.prev };
    for (const earlier of lines.flatMap((line) => parseSegment(line) ?? []))
      known.set(earlier.to, earlier);
  }
  if (before.seq === 0 && before.hash !== genesisHash)
    return brokenAt(0, 1, "it does not begin the chain");
  const lost = findExpected(before, expected, unproven);
  return lost ?? { ...proven, records, first: before.seq + 1, unproven };
}

function openArchive(
  { archive }: Segment,
  read: ReadArchive | undefined,
): readonly string[] | string {
  if (archive === null) return "moved out and kept nowhere";
  if (read === undefined) return `moved out to "${archive}" or before`;
  return read(archive) ?? `their archive "${archive}" is not there`;
}

/** Says what is wrong with an expected head that is older than the records that were proven. */
function findExpected(
  { seq, hash }: AuditHead,
  expected: AuditHead | undefined,
  unproven = "",
): AuditVerdict | undefined {
  if (expected === undefined || expected.seq > seq) return undefined;
  if (expected.seq < seq) {
    const what = `it is not here to be compared: ${unproven}, expected the head of record ${seq} or later`;
    return brokenAt(0, expected.seq, what);
  }
  return expected.hash === hash ? undefined : brokenAt(0, seq, writtenAnew);
}

export const writtenAnew = "its hash is not the expected one: the chain was written anew";

/** Proves records that were moved out, one a line, by what the segment record says of them. */
export function verifyAuditArchive(
  lines: Iterable<string>,
  segment: Pick<Segment, "from" | "to" | "prev" | "head">,
  { expectedHead }: VerifyOptions = {},
): AuditVerdict {
  const expected = expectedHead === undefined ? undefined : parseAuditHead(expectedHead);
  return verifyLines(lines, segment, expected);
}

function verifyLines(
  lines: Iterable<string>,
  segment: Pick<Segment, "from" | "to" | "prev" | "head">,
  expected: AuditHead | undefined,
): AuditVerdict {
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
  return { ok: true, records, first: segment.from, head: last, unproven: undefined };
}
