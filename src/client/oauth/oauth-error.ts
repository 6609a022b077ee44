/** Says why an authorization did not come about; its text may be shown, and holds no secret. */

export class OAuthError extends Error {
  override readonly name = "OAuthError";
  /** Something to type. */
  readonly hint: string | undefined;
  /** The error code of the authorization server, where it gave one. */
  readonly code: string | undefined;

  constructor(
    message: string,
    options: { readonly hint?: string; readonly code?: string; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
    this.code = options.code;
  }
}
