/** Why there is no receipt, though nothing is wrong with the database. */

import { UsageError } from "../../protocol/index.ts";

export type ReceiptFailure =
  /** The file cannot be written, or is another one. */
  | "receipt-not-writable"
  /** The file cannot be read. */
  | "receipt-not-readable"
  /** The file is no receipt, is cut off, or was changed. */
  | "receipt-broken"
  /** The process that looks has died, or did not answer in time. */
  | "witness-lost";

export class ReceiptError extends UsageError {
  readonly failure: ReceiptFailure;

  constructor(
    failure: ReceiptFailure,
    message: string,
    options: { readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(failure, message, options);
    this.failure = failure;
  }
}
