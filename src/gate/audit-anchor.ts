/** What the first record of the audit log is tied to: nothing, or the end of the segment that was moved out last. */

import { isObject } from "../protocol/index.ts";
import { genesisHash, type AuditHead } from "./audit-record.ts";
import { textOf } from "./row.ts";
import type { Store } from "./store.ts";

export interface AuditAnchor extends AuditHead {
  /** Where the segment is; `undefined` when nobody kept it, or there is none. */
  readonly archive: string | undefined;
}

/** Gives the anchor; its number is 0 when nothing was moved out. The newest segment record tells it: it is part of the chain. */
export function readAuditAnchor(store: Store): AuditAnchor {
  const row = store
    .prepare(
      `SELECT body FROM audit_record WHERE instr(body, '"kind":"segment"') > 0 ORDER BY seq DESC LIMIT 1`,
    )
    .get();
  const body = row === undefined ? undefined : parseAuditBody(textOf(row, "body"));
  const { to, head, archive } = isObject(body) ? body : {};
  return {
    seq: typeof to === "number" ? to : 0,
    hash: typeof head === "string" ? head : genesisHash,
    archive: typeof archive === "string" ? archive : undefined,
  };
}

/** Reads the text of a record that somebody may have broken. */
export function parseAuditBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a broken record is something to be reported, not an error
  }
}
