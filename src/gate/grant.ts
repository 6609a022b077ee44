/** A grant: a person's permission to make some writes of one task, given outside of the model's channel. */

export interface Grant {
  /** Short, for people to type. */
  readonly id: string;
  readonly task: string;
  readonly tools: readonly string[];
  /** The only origins it holds for; empty: any. */
  readonly origins: readonly string[];
  /** The only principal it holds for; `undefined`: whoever works on the task. */
  readonly principal: string | undefined;
  /** The only call it holds for: its ids and arguments, as `bindTo` names them; `undefined`: any of the task. */
  readonly forCall: string | undefined;
  readonly uses: number;
  readonly used: number;
  readonly reason: string;
  /** Who gave it, for people. */
  readonly givenBy: string;
  /** In ms since 1970, as the next two. */
  readonly givenAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | undefined;
}

/** Whether a grant holds for such a call, as long as it is neither used up, expired nor revoked. */
export function covers(
  { tools, origins, principal, forCall }: Grant,
  call: {
    readonly tool: string;
    readonly origin: string | undefined;
    readonly principal: string;
    readonly forCall: string;
  },
): boolean {
  if (!tools.includes(call.tool)) return false;
  if (forCall !== undefined && forCall !== call.forCall) return false;
  if (principal !== undefined && principal !== call.principal) return false;
  return origins.length === 0 || (call.origin !== undefined && origins.includes(call.origin));
}

/** Names one call with its arguments, for a grant that holds for it alone. */
export function bindTo(key: string, digest: string): string {
  return `${digest} ${key}`;
}
