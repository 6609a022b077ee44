/** Proves the chain of the audit log, or names the first record that breaks it. */

import { isObject } from "../protocol/index.ts";
import { parseAuditHead } from "./audit-head.ts";
import { parseAuditBody, readAuditAnchor, readSegments, toAnchor } from "./audit-anchor.ts";
import { hashRecord, type AuditHead } from "./audit-record.ts";
import { brokenAt, type AuditVerdict, type VerifyOptions } from "./audit-verdict.ts";
import { verifyArchives, writtenAnew } from "./audit-verify-archives.ts";
import { numberOf, textOf } from "./row.ts";
import type { Store } from "./store.ts";

const pageSize = 1000;
/** How often it begins anew because another process moved records out meanwhile. */
const maxStarts = 3;

/**
 * Walks the whole chain. A record that was changed, removed, inserted or moved does not continue the one before it.
 *
 * Throws a `StateError` for a state or an archive that cannot be read.
 */
export function verifyAudit(
  store: Store,
  { expectedHead, readArchive }: VerifyOptions = {},
): AuditVerdict {
  const expected = expectedHead === undefined ? undefined : parseAuditHead(expectedHead);
  for (let start = 1; ; start++) {
    const segments = readSegments(store);
    const anchor = toAnchor(segments.at(-1));
    const verdict = walk(store, anchor, expected);
    if (verdict.ok) return verifyArchives(verdict, segments, expected, readArchive);
    if (start === maxStarts || readAuditAnchor(store).seq === anchor.seq) return verdict;
  }
}

function walk(store: Store, anchor: AuditHead, expected: AuditHead | undefined): AuditVerdict {
  const page = store.prepare(
    `SELECT seq, hash, body FROM audit_record WHERE seq > ? ORDER BY seq LIMIT ${pageSize}`,
  );
  const oldest = page.all(Number.MIN_SAFE_INTEGER)[0];
  if (oldest !== undefined && numberOf(oldest, "seq") <= anchor.seq) {
    const reason = `it stands where no record can be: the log begins at ${anchor.seq + 1}`;
    return brokenAt(0, numberOf(oldest, "seq"), reason);
  }

  let last: AuditHead = anchor;
  for (let rows = page.all(last.seq); rows.length > 0; rows = page.all(last.seq)) {
    for (const row of rows) {
      const records = last.seq - anchor.seq;
      const seq = numberOf(row, "seq");
      const hash = textOf(row, "hash");
      const body = textOf(row, "body");
      if (seq !== last.seq + 1) return brokenAt(records, last.seq + 1, "it is missing");
      if (hash !== hashRecord(last.hash, body)) return brokenAt(records, seq, explain(seq, body));
      last = { seq, hash };
      if (expected?.seq === seq && expected.hash !== hash)
        return brokenAt(records, seq, writtenAnew);
    }
  }
  const records = last.seq - anchor.seq;
  if (expected !== undefined && expected.seq > last.seq)
    return brokenAt(
      records,
      last.seq + 1,
      `it is missing: the log ends at ${last.seq}, expected it to go on to ${expected.seq}`,
    );
  return {
    ok: true,
    records,
    first: anchor.seq + 1,
    head: records === 0 ? undefined : last,
    unproven: undefined,
  };
}

function explain(seq: number, text: string): string {
  const body = parseAuditBody(text);
  const number = isObject(body) ? body["seq"] : undefined;
  if (typeof number === "number" && number !== seq)
    return `it carries the number ${number}: it was moved or inserted`;
  return "it does not continue the record before it: one of the two was changed";
}
