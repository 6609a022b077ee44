/** What the audit log says of each event, and how one record is tied to the one before it. */

import { hash } from "node:crypto";
import type { Code } from "./codes.ts";
import type { Risk } from "./feature.ts";

/** Who called what; in both records of a call. */
export interface AuditedCall {
  /** In ms since 1970. */
  readonly at: number;
  readonly trace_id: string;
  readonly principal: string;
  readonly door: string;
  readonly tool: string;
  readonly risk: Risk;
  readonly task_id: string | undefined;
  readonly call_id: string | undefined;
  readonly origin: string | undefined;
  readonly code: Code;
  /** The grant whose use was taken. */
  readonly grant: string | undefined;
}

export interface DecisionEntry extends AuditedCall {
  readonly kind: "decision";
  /** The rule that refused. */
  readonly rule: string | undefined;
  /** SHA-256 of the arguments as canonical JSON, in hexadecimal; secrets in them are references. */
  readonly args_sha256: string;
}

export interface OutcomeEntry extends AuditedCall {
  readonly kind: "outcome";
  readonly attempts: number;
  readonly duration_ms: number;
}

/** A person gave or revoked a grant. */
export interface GrantEntry {
  readonly kind: "grant";
  readonly at: number;
  readonly act: "given" | "revoked";
  readonly grant: string;
  readonly task_id: string | undefined;
  readonly tools: readonly string[];
  /** The uses it has; of one that is revoked, those that were left. */
  readonly uses: number;
  readonly by: string;
  readonly reason: string;
}

/** Records that were taken out of the log, as a whole from its beginning; the chain goes on from their last one. */
export interface SegmentEntry {
  readonly kind: "segment";
  readonly at: number;
  /** The number of the first record of the segment, and of its last. */
  readonly from: number;
  readonly to: number;
  /** The hash of the record before the first one, and of the last one. */
  readonly prev: string;
  readonly head: string;
  /** The name of the file that has the records; `null` when nobody kept them. */
  readonly archive: string | null;
}

export type AuditEntry = DecisionEntry | OutcomeEntry | GrantEntry | SegmentEntry;

/** What the first record is tied to. */
export const genesisHash = "0".repeat(64);

/**
 * Gives the hash of a record: SHA-256, in hexadecimal, over the hash of the record before it, a line feed, and the record as
 * canonical JSON.
 */
export function hashRecord(prev: string, body: string): string {
  return hash("sha256", `${prev}\n${body}`, "hex");
}

/** The end of the chain, to be kept elsewhere: whoever has it can tell when records behind it are gone. */
export interface AuditHead {
  readonly seq: number;
  readonly hash: string;
}
