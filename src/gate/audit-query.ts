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

/** Gives the records that pass the filter and are there now; one that is moved out meanwhile is left out. */
export function* readAudit(store: Store, filter: AuditFilter = {}): Generator<AuditRecord> {
  const { task, since = 0, until = Number.MAX_SAFE_INTEGER, writes = false } = filter;
  const conditions = [
    "at BETWEEN ? AND ?",
    ...(task === undefined ? [] : ["task = ?"]),
    ...(writes ? ["body ->> '$.risk' = 'write'"] : []),
  ];
  const find = store.prepare(
    `SELECT seq FROM audit_record WHERE ${conditions.join(" AND ")} ORDER BY at, seq`,
  );
  const get = store.prepare("SELECT seq, at, hash, body FROM audit_record WHERE seq = ?");
  for (const found of find.all(since, until, ...(task === undefined ? [] : [task]))) {
    const row = get.get(numberOf(found, "seq"));
    if (row !== undefined) yield toRecord(row);
  }
}

function toRecord(row: Row): AuditRecord {
  const seq = numberOf(row, "seq");
  const body: unknown = JSON.parse(textOf(row, "body"));
  if (!isObject(body))
    throw new StateError("corrupt", `Cannot read the audit record ${seq}: it is no object`);
  return { seq, at: numberOf(row, "at"), hash: textOf(row, "hash"), body };
}
