/** Keeps the stream open by which a handshake server speaks on its own: GET, and GET again from where it broke off. */

import type { IncomingMessage } from "node:http";
import type { Arrival, HttpTrouble } from "../../protocol/index.ts";
import { collectBody, maxErrorBytes, mediaTypeOf } from "./body.ts";
import { carry, type Carriage } from "./carriage.ts";
import type { Carrier } from "./carrier.ts";
import { readEventStream } from "./event-stream.ts";
import { explainStatus } from "./explain.ts";

export interface ListeningParts {
  readonly carrier: Carrier;
  readonly maxBytes: number;
  readonly headers: () => Record<string, string>;
  readonly deliver: (arrivals: readonly Arrival[], data: string) => void;
  readonly report: (trouble: HttpTrouble) => void;
  /** Called when the server does not know the session any more. */
  readonly onSessionGone: () => void;
}

/** How often the stream may break off without having brought anything: then the server is left to answer calls alone. */
export const maxIdleReconnects = 5;

/** How long to wait before connecting again, where the server says nothing. */
const defaultRetryMs = 1_000;

/** The shortest wait, whatever the server says: it stops a server from making this side spin. */
const minRetryMs = 100;

/** Gives how long to wait before a stream is connected again, by what the server asked for. */
export function waitBeforeRetry(retryMs = defaultRetryMs): number {
  return Math.max(minRetryMs, retryMs);
}

export class Listening {
  /** Resolves when the server has answered for the first time, in whatever way. */
  readonly answered: Promise<void>;
  readonly #parts: ListeningParts;
  #noteAnswered: () => void = () => {};
  #carriage: Carriage | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastEventId: string | undefined;
  #idle = 0;
  #isStopped = false;

  constructor(parts: ListeningParts) {
    this.#parts = parts;
    this.answered = new Promise((resolve) => {
      this.#noteAnswered = resolve;
    });
  }

  start(): void {
    if (this.#isStopped) return;
    const last = this.#lastEventId;
    this.#carriage = carry(this.#parts.carrier, {
      method: "GET",
      headers: {
        ...this.#parts.headers(),
        accept: "text/event-stream",
        ...(last === undefined ? {} : { "last-event-id": last }),
      },
      isRepeatable: true,
      isLasting: true,
      onResponse: (response) => this.#take(response),
      onTrouble: (trouble) => this.#again(trouble),
    });
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#carriage?.abort();
  }

  #take(response: IncomingMessage): void {
    this.#noteAnswered();
    const { statusCode = 0, headers } = response;
    if (statusCode < 300 && mediaTypeOf(headers) === "text/event-stream")
      return this.#read(response);
    collectBody(response, maxErrorBytes, (body) => {
      if (this.#isStopped || statusCode === 405) return; // it has no such stream, and says so
      if (statusCode === 404 && this.#parts.headers()["mcp-session-id"] !== undefined)
        return this.#parts.onSessionGone();
      const text = typeof body === "string" ? "" : body.toString();
      const shown = this.#carriage?.redact(text) ?? "";
      const { detail } = explainStatus(statusCode, response.statusMessage, headers, shown);
      const odd = detail.replace(/, expected [^,]*$/, "");
      this.#report(`GET brought no event stream: ${odd}, expected text/event-stream or 405`);
    });
  }

  #read(response: IncomingMessage): void {
    const { deliver, maxBytes } = this.#parts;
    const reader = readEventStream(response, maxBytes, {
      onArrivals: (arrivals, data) => {
        this.#idle = 0;
        deliver(arrivals, data);
      },
      onOddity: this.#parts.report,
      onEnd: () => {
        this.#lastEventId = reader.lastEventId ?? this.#lastEventId;
        this.#again(undefined, reader.retryMs);
      },
    });
  }

  #again(trouble: HttpTrouble | undefined, retryMs?: number): void {
    this.#noteAnswered();
    if (this.#isStopped) return;
    if (++this.#idle > maxIdleReconnects) {
      const why = trouble === undefined ? "it ended each time without a message" : trouble.detail;
      return this.#report(
        `the server's own stream was given up after maxIdleReconnects (${maxIdleReconnects}): ${why}`,
      );
    }
    this.#timer = setTimeout(() => this.start(), waitBeforeRetry(retryMs));
    this.#timer.unref();
  }

  #report(detail: string): void {
    this.#parts.report({ name: "http-oddity", detail });
  }
}
