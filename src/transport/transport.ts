/** What every transport is to the two sides: batches of arrivals in, messages out. */

import type { Arrival, Outgoing, RequestId } from "../protocol/index.ts";
import type { LineObserver } from "./line-tap.ts";

/** Where messages leave. */
export interface Outlet {
  /**
   * Queues one message; all messages of one turn leave in one write. Does nothing once the peer has closed.
   *
   * @param about the request that the message belongs to; a transport with one stream for each request needs it to choose
   */
  send(message: Outgoing, about?: RequestId): void;
  /** What was sent and the peer has not taken, in bytes; absent where there is a limit to that already. */
  readonly backlog?: number;
}

export interface Transport extends Outlet {
  /**
   * What arrived, in order: one array for each piece of bytes that was read. Ends when the peer has closed.
   *
   * Batches instead of single messages, because one `await` for each of 500 messages in a 64 KiB piece costs more than reading them.
   */
  readonly incoming: AsyncIterable<readonly Arrival[]>;
  /**
   * Resolves when the peer takes nothing more though it may still speak; never where that ends `incoming`. Gives the time, by the
   * clock of `performance.now()`, since which nothing that was sent has arrived.
   */
  readonly broken?: Promise<number>;
  /** Gives a promise while the peer has not taken what was sent, or `undefined` when more may be sent at once. */
  drained(): Promise<void> | undefined;
  /** Shows an observer the exact bytes of every line from now on; absent where there are no lines. */
  observe?(observer: LineObserver): void;
  /** Sends what is queued, then closes this side. */
  close(): Promise<void>;
}
