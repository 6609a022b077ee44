/** The two errors Genkan throws: `WireError` goes to the peer as it is, `UsageError` to the person who called. */

/**
 * A reply to a peer: a numeric code and a text fit for a stranger.
 *
 * Whoever throws it decides every word that leaves the process; an inner error belongs in `cause`, which is never sent.
 */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, options: { readonly data?: unknown; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }

  /** Gives the `error` member of the reply. */
  toBody(): { readonly code: number; readonly message: string; readonly data?: unknown } {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** A mistake of the calling code: `code` is stable, `hint` is something to type. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** Shows an unknown thrown value to a person on this side, with its stack; never to a peer. */
export function describeThrown(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.stack ?? `${thrown.name}: ${thrown.message}`;
  return `a thrown ${typeof thrown}: ${String(thrown)}`;
}
