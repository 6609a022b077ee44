/** What a pool asks of its scout, and what that answers: one JSON text in each frame. */

import type { RefusalReason } from "../file/refusals.ts";
import type { OwnerFile } from "../reader/request.ts";

export interface ScoutRequest {
  readonly kind: "look";
  /** As its user names it. */
  readonly path: string;
  readonly root: string | undefined;
  readonly databaseBytes: number;
  /** How long a copy may be tried. */
  readonly budgetMs: number;
  /** Whether only a copy will do, because the file changed while it was read. */
  readonly copies: boolean;
}

export type ScoutReply =
  | { readonly kind: "ready" }
  | ({ readonly kind: "found" } & Found)
  | { readonly kind: "refused"; readonly refusal: WrittenRefusal }
  | { readonly kind: "failed"; readonly failure: WrittenFailure };

/** A state of the database that can be read. */
export interface Found {
  /** The owner's file, or a copy of it. */
  readonly file: string;
  readonly way: "in-place" | "copy";
  readonly owner: OwnerFile;
}

export interface WrittenRefusal {
  readonly reason: RefusalReason;
  readonly path: string;
  readonly real: string;
  readonly detail?: string;
}

export interface WrittenFailure {
  readonly kind: "busy" | "database-unavailable";
  readonly message: string;
  readonly hint?: string;
  readonly retryAfterMs?: number;
}

/** What a scout is told when it is started. */
export interface ScoutSetup {
  readonly parent: number;
  /** Where private copies go; made when the first is. */
  readonly folder: string;
}
