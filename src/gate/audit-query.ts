/** Reads the audit log in the order of time. */

import { isObject, type JsonObject } from "../protocol/index.ts";
import { numberOf, textOf } from "./row.ts";
import { StateError } from "./state-error.ts";
import type { Row, Store } from "./store.ts";

export interface AuditFilter {
  readonly task?: string;
  /** In ms since 1970, as `until`; both are included. */
  readonly since?: number;
  readonly until?: number;
  /** Only calls of tools with a side effect. */
  readonly writes?: boolean;
}

export interface AuditRecord {
  readonly seq: number;
  readonly at: number;
  readonly hash: string;
  /** The record as it was written: the members of an `AuditEntry`, and `seq`. */
  readonly body: JsonObject;
}

const pageSize = 500;

/** Gives the records that pass the filter, a page at a time: what is appended meanwhile is given too. */
export function* readAudit(store: Store, filter: AuditFilter = {}): Generator<AuditRecord> {
  const { task, since = 0, until = Number.MAX_SAFE_INTEGER, writes = false } = filter;
  const conditions = [
    "(at, seq) > (?, ?)",
    "at <= ?",
    ...(task === undefined ? [] : ["task = ?"]),
    ...(writes ? ["body ->> '$.risk' = 'write'"] : []),
  ];
  const page = store.prepare(
    `SELECT seq, at, hash, body FROM audit_record WHERE ${conditions.join(" AND ")} ORDER BY at, seq LIMIT ${pageSize}`,
  );
  let after: readonly [at: number, seq: number] = [since, 0];
  for (;;) {
    const rows = page.all(...after, until, ...(task === undefined ? [] : [task]));
    for (const row of rows) {
      const record = toRecord(row);
      yield record;
      after = [record.at, record.seq];
    }
    if (rows.length < pageSize) return;
  }
}

function toRecord(row: Row): AuditRecord {
  const seq = numberOf(row, "seq");
  const body: unknown = JSON.parse(textOf(row, "body"));
  if (!isObject(body))
    throw new StateError("corrupt", `Cannot read the audit record ${seq}: it is no object`);
  return { seq, at: numberOf(row, "at"), hash: textOf(row, "hash"), body };
}
