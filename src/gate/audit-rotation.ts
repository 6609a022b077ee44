/** Moves the oldest records out of the audit log, and says so in it: the chain goes on from the last one that is gone. */

import type { AuditLog } from "./audit-log.ts";
import { genesisHash, hashRecord, type SegmentEntry } from "./audit-record.ts";
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
  { keptRecords, keptMs, segmentRecords }: AuditLimits,
  { now, archive }: RotationOptions,
): SegmentEntry | undefined {
  const [oldest, last] = [firstRow(store, "TRUE", 0), log.head()];
  if (oldest === undefined || last === undefined) return undefined;
  const from = numberOf(oldest, "seq");
  const young = firstRow(store, "at >= ?", now - keptMs);
  const end = Math.max(
    last.seq - keptRecords,
    young === undefined ? last.seq : numberOf(young, "seq") - 1,
  );
  const to = Math.min(end, from + segmentRecords - 1);
  if (to < from) return undefined;
  const isOverdue = numberOf(oldest, "at") < now - keptMs - day;
  if (!isOverdue && to - from + 1 < segmentRecords) return undefined;

  const rows = store
    .prepare("SELECT seq, hash, body FROM audit_record WHERE seq <= ? ORDER BY seq")
    .all(to);
  const prev = findPrev(store, from);
  const head = checkRows(rows, from, prev);
  const lines = rows.map((row) => textOf(row, "body"));
  const segment: SegmentEntry = {
    kind: "segment",
    at: now,
    from,
    to,
    prev,
    head,
    archive: archive?.(from, to, lines) ?? null,
  };
  log.append(segment);
  store.prepare("DELETE FROM audit_record WHERE seq <= ?").run(to);
  return segment;
}

function firstRow(store: Store, condition: string, value: number): Row | undefined {
  return store
    .prepare(`SELECT seq, at FROM audit_record WHERE ${condition} AND ? IS NOT NULL ORDER BY seq LIMIT 1`)
    .get(...(condition.includes("?") ? [value, value] : [value]));
}
