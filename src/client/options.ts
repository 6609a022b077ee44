/** What `connect()` takes. */

import type {
  ClientCapabilities,
  Fault,
  Implementation,
  NotificationMessage,
} from "../protocol/index.ts";
import type { LineObserver, StopTimes, Transport } from "../transport/index.ts";
import type { Handlers } from "./handlers.ts";
import type { Auth } from "./oauth/auth.ts";

/** What to connect to. */
export type ConnectTarget = CommandTarget | UrlTarget | TransportTarget;

/** A server to start. */
export interface CommandTarget {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the short safe environment (PATH, HOME, LANG and the like). */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** A server that listens at a URL: Streamable HTTP of either era, or the HTTP+SSE of 2024-11-05. */
export interface UrlTarget {
  readonly url: string | URL;
  /** Sent with every request to the URL's own origin, and never to another. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How to answer a server that asks who calls. */
  readonly auth?: Auth;
}

/** A server at the other end of an open transport; the client closes it. */
export interface TransportTarget {
  readonly transport: Transport;
}

/** Every time is in milliseconds, from 0 on, or `Infinity` for no limit. */
export interface ConnectOptions extends StopTimes {
  /** Who connects; default Genkan itself. */
  readonly clientInfo?: Implementation;
  /** Each handler given is a capability declared. */
  readonly handlers?: Handlers;
  /** Declared in addition to what the handlers amount to. */
  readonly capabilities?: ClientCapabilities;
  /** `"auto"` (the default) asks the server; the others take its word for it. */
  readonly era?: "auto" | "handshake" | "stateless";
  /** The one revision to speak, for instance `"2025-06-18"`. */
  readonly revision?: string;
  /** How long one call may take; default 60 000. */
  readonly timeoutMs?: number;
  /** How long connecting may take in all; default 30 000. */
  readonly startTimeoutMs?: number;
  /** How long `server/discover` may be silent before `initialize` is sent as well; default 3 000. */
  readonly probeTimeoutMs?: number;
  /** How long the handlers may take to answer one question of the server, a person's time included; default 600 000. */
  readonly handlerTimeoutMs?: number;
  /** The longest line in bytes that is read; default 16 MiB. */
  readonly maxLineBytes?: number;
  /** Called for every notification but progress, in order. */
  readonly onNotification?: (message: NotificationMessage) => void;
  /** Called for every line that is not exactly one good message, tolerated ones too. */
  readonly onFault?: (fault: Fault) => void;
  /** Called with the exact bytes of every line in both directions; costs nothing when absent. */
  readonly onLine?: LineObserver;
  /** Gives up connecting when aborted; has no meaning afterwards. */
  readonly signal?: AbortSignal;
}
