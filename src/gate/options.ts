/** How a gate is opened. */

import type { Context } from "../server/index.ts";
import type { ApprovalOptions } from "./approval.ts";
import type { Conduct } from "./conduct.ts";
import type { Feature } from "./feature.ts";
import type { GateLimits } from "./limits.ts";

export interface GateOptions {
  /**
   * The folder of the state, such as `.genkan`; made when it is not there. Several processes may share it.
   *
   * Without one the gate keeps nothing: reads run, unrecorded, and writes are refused.
   */
  readonly stateDir?: string | undefined;
  readonly limits?: Partial<GateLimits>;
  readonly conduct?: Conduct;
  /**
   * Who calls when nobody has proven to be somebody, as at the other end of a pipe; a function decides for every call.
   * Default: "local".
   */
  readonly principal?: string | ((context: Context) => string);
  /** What holds for single principals, over what holds for all. */
  readonly principals?: Readonly<Record<string, PrincipalOptions>>;
  /** Whose clients may put the question to a person whether a write may be made. Default: nobody's. */
  readonly approval?: ApprovalOptions;
  /**
   * Whether each call is told to OpenTelemetry: a span and a duration, through `@opentelemetry/api`, which must then be
   * installed: `gate.ready()` rejects where it is not, and so does every call. Never arguments, results, ids of tasks or names of callers. Default: false.
   */
  readonly telemetry?: boolean;
  /** What else is done around each call: the audit log, the traces, the redactor, the secrets. */
  readonly features?: readonly Feature[];
  /**
   * Whether reads go on while the state cannot be used; writes never do. Such a gate opens also where there is no state to be
   * had. Default: false.
   */
  readonly readsWithoutState?: boolean;
  /** The names that tools may have. Default: `^[a-zA-Z0-9_-]{1,64}$`, what hosts take. */
  readonly toolNames?: RegExp;
  /** How long a statement may wait for another process; default: 2000. */
  readonly lockWaitMs?: number;
  /** How large the state file may grow; default: 1 GiB. */
  readonly maxStateBytes?: number;
  /** Takes what the person who runs the server should know; default: `console.error`. */
  readonly report?: (text: string) => void;
  /** The clock, in ms since 1970; default: `Date.now`. */
  readonly now?: () => number;
}

export interface PrincipalOptions {
  readonly limits?: Partial<GateLimits>;
  readonly conduct?: Conduct;
}
