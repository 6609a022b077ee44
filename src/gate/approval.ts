/** Whose client may put the question to a person whether a write may be made. */

import { UsageError } from "../protocol/index.ts";
import { grantLimits } from "./grants.ts";

export interface ApprovalOptions {
  /** The principals whose clients are trusted to show the question to a person, and to give that person's answer. */
  readonly trustedClients: readonly string[];
  /** How long the call may still be made, or made again when it did nothing, in ms; default: 10 minutes. */
  readonly forMs?: number;
}

export interface Approval {
  readonly trusted: ReadonlySet<string>;
  readonly forMs: number;
}

/** Throws a `UsageError` for a time that no grant may have. */
export function resolveApproval(options: ApprovalOptions | undefined): Approval | undefined {
  if (options === undefined) return undefined;
  const { trustedClients, forMs = 600_000 } = options;
  if (!Number.isSafeInteger(forMs) || forMs < 1 || forMs > grantLimits.forMs) {
    const what = `Cannot use approval.forMs: it is ${forMs}, expected a whole number from 1 to ${grantLimits.forMs}`;
    throw new UsageError("invalid-approval", what);
  }
  return { trusted: new Set(trustedClients), forMs };
}
