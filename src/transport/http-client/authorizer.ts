/** Who gives requests their `Authorization`, and answers a refusal; OAuth stands behind it, or one fixed token. */

import type { Challenge } from "./challenge.ts";

export interface Authorizer {
  /** Gives the header's value for the next request. Rejects with an error whose text may be shown. */
  header(): string | undefined | Promise<string | undefined>;
  /** Looks at a 401 or 403 and says whether the same request is worth another try. */
  judgeRefusal(refusal: Refusal): Promise<RefusalVerdict>;
}

export interface Refusal {
  readonly status: 401 | 403;
  readonly challenges: readonly Challenge[];
  /** The header's value that was refused. */
  readonly sent: string | undefined;
  /** How often this request has been refused, 1 for the first time. */
  readonly count: number;
}

export type RefusalVerdict =
  | { readonly kind: "again" }
  /** Nothing to add to what the server said. */
  | { readonly kind: "unanswered" }
  | { readonly kind: "failed"; readonly what: string; readonly hint?: string };

/** How often one request is authorized anew: it stops a server that refuses whatever it is shown. */
export const maxAuthorizations = 3;
