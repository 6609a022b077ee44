/** What a call may see of, and do to, the connection it came on. */

import type {
  JsonObject,
  LoggingLevel,
  Outgoing,
  RequestId,
  ServerRequestMethod,
  SubscriptionFilter,
} from "../protocol/index.ts";
import type { Caller } from "./caller.ts";

export interface Peer {
  /** What `initialize` agreed on; `undefined` until then, and of no meaning to stateless requests. */
  handshake: Caller | undefined;
  /** Who the peer has proven to be; `undefined` where its transport does not ask. */
  readonly principal?: string | undefined;
  /** Set by `notifications/initialized`: a handshake-era client takes messages of the server's own from then on. */
  readonly isOpen: boolean;
  /** Set by `logging/setLevel`. */
  logLevel: LoggingLevel;
  /** The resources that a handshake-era client has subscribed to. */
  readonly subscribedUris: Set<string>;
  /** The open `subscriptions/listen` streams, by the id of the request that opened each. */
  readonly listeners: Map<RequestId, Listener>;
  /** Whether so much is unread that what can be left out should be. */
  readonly isBacklogged: boolean;
  send(message: Outgoing, about: RequestId): void;
  /** Sends a request of the server's own and waits for its answer. */
  ask(
    method: ServerRequestMethod,
    params: JsonObject,
    about: RequestId,
    signal: AbortSignal,
  ): Promise<JsonObject>;
}

export interface Listener {
  readonly filter: SubscriptionFilter;
  /** Ends the stream with its closing result. */
  end(): void;
}
