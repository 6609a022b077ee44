/** What the answers of one endpoint share: its limits, its streams and its timer. */

import type { HttpApplication } from "./application.ts";
import type { EventStreams } from "./event-stream.ts";
import type { Exchange, HeaderList } from "./exchange.ts";
import type { Heart } from "./heart.ts";
import type { HttpLimits } from "./limits.ts";
import type { Wants } from "./media-type.ts";
import type { Principal } from "./application.ts";

export interface Doorway {
  readonly application: HttpApplication;
  readonly limits: HttpLimits;
  readonly streams: EventStreams;
  readonly heart: Heart;
  /** The stateless calls that are running. */
  readonly running: Set<Running>;
  /** Milliseconds by a clock that never goes back. */
  readonly now: () => number;
}

/** A call that is asked to finish when the endpoint closes. */
export interface Running {
  /** Gives the call its time, and cancels it then. */
  close(): Promise<void>;
}

/** A request that has passed the guard and may be answered. */
export interface Visit {
  readonly exchange: Exchange;
  readonly wants: Wants;
  /** The headers every answer to it carries. */
  readonly cors: HeaderList;
  readonly principal: Principal | undefined;
  /** Called once, when the answer is complete or nobody waits for it any more. */
  readonly done: () => void;
}
