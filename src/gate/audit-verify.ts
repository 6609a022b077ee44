/** Proves the chain of the audit log, or names the first record that breaks it. */

import { isObject } from "../protocol/index.ts";
import { parseAuditHead } from "./audit-head.ts";
import { parseAuditBody, readAuditAnchor, type AuditAnchor } from "./audit-anchor.ts";
import { hashRecord, type AuditHead } from "./audit-record.ts";
import { numberOf, textOf } from "./row.ts";
import type { Store } from "./store.ts";

export type AuditVerdict =
  | {
      readonly ok: true;
      /** How many records were proven. */
      readonly records: number;
      /** The number of the first record; above 1 when older ones were moved out. */
      readonly first: number;
      readonly head: AuditHead | undefined;
    }
  | {
      readonly ok: false;
      readonly records: number;
      /** The number of the first broken record. */
      readonly seq: number;
      readonly reason: string;
    };

export interface VerifyOptions {
  /** A head that was kept elsewhere, as `genkan audit head` prints it; without one, nobody can tell that the end is gone. */
  readonly expectedHead?: string | undefined;
}

const pageSize = 1000;
/** How often it begins anew because another process moved records out meanwhile. */
const maxStarts = 3;

/** Walks the whole chain. A record that was changed, removed, inserted or moved does not continue the one before it. */
export function verifyAudit(store: Store, { expectedHead }: VerifyOptions = {}): AuditVerdict {
  const expected = expectedHead === undefined ? undefined : parseAuditHead(expectedHead);
  for (let start = 1; ; start++) {
    const anchor = readAuditAnchor(store);
    const verdict = walk(store, anchor, expected);
    if (verdict.ok || start === maxStarts || readAuditAnchor(store).seq === anchor.seq)
      return verdict;
  }
}

function walk(store: Store, anchor: AuditAnchor, expected: AuditHead | undefined): AuditVerdict {
  const page = store.prepare(
    `SELECT seq, hash, body FROM audit_record WHERE seq > ? ORDER BY seq LIMIT ${pageSize}`,
  );
  const oldest = page.all(Number.MIN_SAFE_INTEGER)[0];
  if (oldest !== undefined && numberOf(oldest, "seq") <= anchor.seq) {
    const reason = `it stands where no record can be: the log begins at ${anchor.seq + 1}`;
    return brokenAt(0, numberOf(oldest, "seq"), reason);
  }
  const lost = findExpected(anchor, expected);
  if (lost !== undefined) return brokenAt(0, lost.seq, lost.reason);

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
        return brokenAt(
          records,
          seq,
          "its hash is not the expected one: the chain was written anew",
        );
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
  };
}

/** Says what is wrong with an expected head that is older than the records that are here. */
function findExpected(
  { seq, hash, archive }: AuditAnchor,
  expected: AuditHead | undefined,
): { readonly seq: number; readonly reason: string } | undefined {
  if (expected === undefined || expected.seq > seq) return undefined;
  const reason =
    expected.seq < seq
      ? `it is not here to be compared: it was moved out${archive === undefined ? "" : ` to "${archive}" or before`}, expected the head of record ${seq} or later`
      : "its hash is not the expected one: the chain was written anew";
  return expected.seq === seq && expected.hash === hash ? undefined : { seq: expected.seq, reason };
}

function explain(seq: number, text: string): string {
  const body = parseAuditBody(text);
  const number = isObject(body) ? body["seq"] : undefined;
  if (typeof number === "number" && number !== seq)
    return `it carries the number ${number}: it was moved or inserted`;
  return "it does not continue the record before it: one of the two was changed";
}

export function brokenAt(records: number, seq: number, reason: string): AuditVerdict {
  return { ok: false, records, seq, reason: `The audit record ${seq} breaks the chain: ${reason}` };
}
