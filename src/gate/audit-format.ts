/** Shows records of the audit log to people, one line each. */

import type { AuditRecord } from "./audit-query.ts";
import { sanitiseText } from "./sanitise.ts";

/** Gives the line: number, time, kind, who, task, what, and how it was decided or ended. */
export function formatAuditRecord(record: AuditRecord): string {
  return formatAuditRecordAt(record, new Date(record.at).toISOString());
}

/** Gives the same line with the time as the caller writes it. */
export function formatAuditRecordAt({ seq, body }: AuditRecord, time: string): string {
  const { kind, principal, task_id, door, tool, risk, code, grant, rule, act, by, from, to } = body;
  const place = `${show(door)}/${show(tool)}`;
  const head = [show(seq), time, show(kind)];
  const note = (label: string, value: unknown): readonly string[] =>
    value === undefined ? [] : [`${label} ${show(value)}`];
  if (kind === "segment")
    return [...head, `records ${show(from)} to ${show(to)} moved out`].join("  ");
  if (kind === "grant") return [...head, by, task_id, act, grant].map(show).join("  ");
  const call = [principal, task_id, place, risk, code].map(show);
  return [...head, ...call, ...note("rule", rule), ...note("grant", grant)].join("  ");
}

function show(value: unknown): string {
  if (value === undefined) return "-";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return sanitiseText(text, { lines: false, maxLength: 100 }).text;
}
