/** The end of the chain as a text that people keep elsewhere: `1207:9f86d0…`. */

import { UsageError } from "../protocol/index.ts";
import type { AuditHead } from "./audit-record.ts";

export function formatAuditHead({ seq, hash }: AuditHead): string {
  return `${seq}:${hash}`;
}

/** Reads a head. Throws a `UsageError` for a text that is none. */
export function parseAuditHead(text: string): AuditHead {
  const [, seq, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq !== undefined && hash !== undefined) return { seq: Number(seq), hash };
  throw new UsageError(
    "invalid-head",
    `Cannot read the head "${text.slice(0, 100)}": it is none, expected a number, a colon and 64 hexadecimal digits`,
    { hint: "genkan audit head" },
  );
}
