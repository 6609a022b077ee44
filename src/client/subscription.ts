/** What a subscription to changes is to the application. */

import type { Change, SubscriptionFilter } from "../protocol/index.ts";
import { createError, type ClientError, type Failure } from "./client-error.ts";

export type OnChange = (change: Change) => void;

export interface Subscription extends AsyncDisposable {
  /** What the server agreed to tell; less than was asked where it cannot. */
  readonly honoured: SubscriptionFilter;
  /** Resolves when no further change will be told. */
  readonly ended: Promise<SubscriptionEnd>;
}

export type SubscriptionEnd =
  /** By this side, or by its signal. */
  | { readonly kind: "disposed" }
  | { readonly kind: "ended by the server" }
  | { readonly kind: "lost"; readonly error: ClientError };

export function createSubscriptionError(failure: Failure): ClientError {
  return createError("Cannot subscribe", failure);
}
