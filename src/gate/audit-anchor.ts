/** What the log tells of the segments that were moved out of it, and what its first record is therefore tied to. */

import { isObject } from "../protocol/index.ts";
import { genesisHash, type AuditHead, type SegmentEntry } from "./audit-record.ts";
import { textOf } from "./row.ts";
import type { Store } from "./store.ts";

export type Segment = Pick<SegmentEntry, "from" | "to" | "prev" | "head" | "archive">;

const mark = '"kind":"segment"';
const isSegment = `instr(body, '${mark}') > 0`;

/** Lists the segments whose records are still in the log, oldest first. */
export function readSegments(store: Store): readonly Segment[] {
  return store
    .prepare(`SELECT body FROM audit_record WHERE ${isSegment} ORDER BY seq`)
    .all()
    .flatMap((row) => parseSegment(textOf(row, "body")) ?? []);
}

/** Gives the anchor; its number is 0 when nothing was moved out. The newest segment record tells it: it is part of the chain. */
export function readAuditAnchor(store: Store): AuditHead {
  const row = store
    .prepare(`SELECT body FROM audit_record WHERE ${isSegment} ORDER BY seq DESC LIMIT 1`)
    .get();
  return toAnchor(row === undefined ? undefined : parseSegment(textOf(row, "body")));
}

export function toAnchor(newest: Segment | undefined): AuditHead {
  return newest === undefined
    ? { seq: 0, hash: genesisHash }
    : { seq: newest.to, hash: newest.head };
}

/** Reads the text of a record as that of a segment, if it is one. */
export function parseSegment(text: string): Segment | undefined {
  const body = text.includes(mark) ? parseAuditBody(text) : undefined;
  if (!isObject(body) || body["kind"] !== "segment") return undefined;
  const { from, to, prev, head, archive } = body;
  if (typeof from !== "number" || typeof to !== "number" || from < 1 || to < from) return undefined;
  if (typeof prev !== "string" || typeof head !== "string") return undefined;
  return { from, to, prev, head, archive: typeof archive === "string" ? archive : null };
}

/** Reads the text of a record that somebody may have broken. */
export function parseAuditBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a broken record is something to be reported, not an error
  }
}
