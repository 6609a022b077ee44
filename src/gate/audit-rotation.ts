/** Moves the oldest records out of the audit log, and says so in it: the chain goes on from the last one that is gone. */

import { UsageError } from "../protocol/index.ts";
import type { AuditLog } from "./audit-log.ts";
import { readAuditAnchor } from "./audit-anchor.ts";
import { hashRecord, type SegmentEntry } from "./audit-record.ts";
import { numberOf, textOf } from "./row.ts";
import { StateError } from "./state-error.ts";
import type { Row, Store } from "./store.ts";

export interface AuditLimits {
  /** How many records stay in the state: stops the log from filling it. Default: 200 000. */
  readonly keptRecords: number;
  /** How long records stay in the state, in ms. Default: 365 days. */
  readonly keptMs: number;
  /** How many records are moved out at once: stops the state from being locked for long. Default: 10 000. */
  readonly segmentRecords: number;
}

const day = 24 * 3_600_000;

export const defaultAuditLimits: AuditLimits = {
  keptRecords: 200_000,
  keptMs: 365 * day,
  segmentRecords: 10_000,
};

/** Keeps the records of a segment elsewhere, one a line, and gives the name they have there. */
export type Archive = (from: number, to: number, lines: Iterable<string>) => string;

export interface RotationOptions extends Partial<AuditLimits> {
  readonly now: number;
  /** Without one, the records are gone for good. */
  readonly archive?: Archive | undefined;
}

/**
 * Moves out what is over the limits, oldest first, each segment in a transaction of its own; gives the segments.
 *
 * It waits until a segment is full, or a record is a day over its time. Throws a `StateError` for records that break the chain:
 * they stay where they are.
 */
export function rotateAudit(
  store: Store,
  log: AuditLog,
  options: RotationOptions,
): readonly SegmentEntry[] {
  const limits = { ...defaultAuditLimits, ...options };
  if (limits.segmentRecords < 2)
    throw new UsageError(
      "invalid-limit",
      `Cannot use the limit "segmentRecords": it is ${limits.segmentRecords}, expected at least 2, for each segment is noted in the log`,
    );
  const segments: SegmentEntry[] = [];
  for (;;) {
    const segment = store.transact(() => moveSegment(store, log, limits, options));
    if (segment === undefined) return segments;
    segments.push(segment);
  }
}

function moveSegment(
  store: Store,
  log: AuditLog,
  limits: AuditLimits,
  { now, archive }: RotationOptions,
): SegmentEntry | undefined {
  const range = findRange(store, log, limits, now);
  if (range === undefined) return undefined;
  const [from, to] = range;
  const rows = store
    .prepare("SELECT seq, hash, body FROM audit_record WHERE seq <= ? ORDER BY seq")
    .all(to);
  const { hash: prev } = readAuditAnchor(store);
  const head = checkRows(rows, from, prev);
  const lines = rows.map((row) => textOf(row, "body"));
  const name = archive?.(from, to, lines) ?? null;
  const segment: SegmentEntry = { kind: "segment", at: now, from, to, prev, head, archive: name };
  log.append(segment);
  store.prepare("DELETE FROM audit_record WHERE seq <= ?").run(to);
  return segment;
}

/** Gives the first and the last record that is over the limits; at most a segment of them. */
function findRange(
  store: Store,
  log: AuditLog,
  { keptRecords, keptMs, segmentRecords }: AuditLimits,
  now: number,
): readonly [from: number, to: number] | undefined {
  const oldest = store.prepare("SELECT seq, at FROM audit_record ORDER BY seq LIMIT 1").get();
  const last = log.head();
  if (oldest === undefined || last === undefined) return undefined;
  const from = numberOf(oldest, "seq");
  const end = Math.min(last.seq, from + segmentRecords - 1);
  const young = store
    .prepare("SELECT seq FROM audit_record WHERE seq <= ? AND at >= ? ORDER BY seq LIMIT 1")
    .get(end, now - keptMs);
  const lastOld = young === undefined ? end : numberOf(young, "seq") - 1;
  const to = Math.min(end, Math.max(lastOld, last.seq - keptRecords));
  const isOverdue = numberOf(oldest, "at") < now - keptMs - day;
  return to - from + 1 === segmentRecords || (isOverdue && to >= from) ? [from, to] : undefined;
}

/** A broken chain is not sealed: its traces would be gone with the records. */
function checkRows(rows: readonly Row[], from: number, prev: string): string {
  let head = prev;
  let seq = from;
  for (const row of rows) {
    head = hashRecord(head, textOf(row, "body"));
    if (numberOf(row, "seq") === seq++ && textOf(row, "hash") === head) continue;
    const what = `the record ${seq - 1} breaks the chain, expected one that continues it`;
    throw new StateError("corrupt", `Cannot move records out of the audit log: ${what}`);
  }
  return head;
}
