/** Takes requests to one URL and brings responses back: kept connections, the headers all requests have, authorization. */

import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { HttpTrouble } from "../../protocol/index.ts";
import type { Authorizer } from "./authorizer.ts";

export interface CarrierOptions {
  readonly url: URL;
  /** Sent with every request to the URL's own origin, and to no other. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly authorizer?: Authorizer | undefined;
}

export interface Errand {
  readonly method: "POST" | "GET" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Another URL of the same origin. */
  readonly url?: URL;
  /** Whether it may be sent again when a kept connection turns out to be closed: nobody can tell whether it had arrived. */
  readonly isRepeatable: boolean;
  /** Whether the response stays open, and so must not take one of `maxSockets`. */
  readonly isLasting?: boolean;
  /** Takes the response, also one with an error status. */
  readonly onResponse: (response: IncomingMessage) => void;
  /** Takes the reason why there is none. At most one of the two is called, and neither after an abort. */
  readonly onTrouble: (trouble: HttpTrouble) => void;
}

/** How many connections calls use at once; more calls wait: it stops ten thousand calls from opening as many sockets. */
export const maxSockets = 256;

/** How long an unused connection is kept: below the five seconds after which many servers close it. */
const keepAliveMs = 4_000;

interface Line {
  request(options: RequestOptions): ClientRequest;
  readonly short: Agent;
  readonly lasting: Agent;
}

interface Place {
  readonly line: Line;
  readonly hostname: string;
  readonly port: string;
  readonly host: string;
  readonly path: string;
}

/** With what a request sets out. */
export interface Outset {
  readonly method: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly isLasting: boolean;
}

export class Carrier {
  /** Where requests go: changes with a permanent redirect within the origin. */
  url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly authorizer: Authorizer | undefined;
  readonly #lines = new Map<string, Line>();
  readonly #places = new WeakMap<URL, Place>();
  readonly #open = new Set<IncomingMessage>();
  #isPaused = false;
  #authorizations: readonly string[] = [];
  /** Holds all responses while what they have brought is not yet read. */
  readonly flow = {
    pause: (): void => {
      this.#isPaused = true;
      for (const response of this.#open) response.pause();
    },
    resume: (): void => {
      this.#isPaused = false;
      for (const response of this.#open) response.resume();
    },
  };

  /** Loads what the URL needs. */
  static async open(options: CarrierOptions): Promise<Carrier> {
    const carrier = new Carrier(options);
    await carrier.prepare(options.url);
    return carrier;
  }

  private constructor({ url, headers = {}, authorizer }: CarrierOptions) {
    this.url = url;
    this.headers = headers;
    this.authorizer = authorizer;
  }

  /** Starts one request; `prepare` has been called for its URL. */
  request(url: URL, { method, headers, isLasting }: Outset): ClientRequest {
    const { line, hostname, port, path, host } = this.#placeOf(url);
    headers.push("host", host);
    return line.request({
      method,
      headers,
      hostname,
      port,
      path,
      agent: isLasting ? line.lasting : line.short,
    });
  }

  /** Taking a URL apart costs more than the rest of a request's head. */
  #placeOf(url: URL): Place {
    const known = this.#places.get(url);
    if (known !== undefined) return known;
    const line = this.#lines.get(url.protocol);
    if (line === undefined) throw new Error(`No connections for ${url.protocol} were prepared`);
    const { port, host } = url;
    const hostname = url.hostname.replaceAll(/^\[|\]$/g, "");
    const place = { line, hostname, port, host, path: url.pathname + url.search };
    this.#places.set(url, place);
    return place;
  }

  async prepare({ protocol }: URL): Promise<void> {
    if (this.#lines.has(protocol)) return;
    const { Agent, request } =
      protocol === "https:" ? await import("node:https") : await import("node:http");
    const limits = { keepAlive: true, timeout: keepAliveMs, scheduling: "lifo" } as const;
    const short = new Agent({ ...limits, maxSockets });
    this.#lines.set(protocol, { request, short, lasting: new Agent({ keepAlive: false }) });
  }

  /** Takes a stream into the flow; a body ends by itself. */
  track(response: IncomingMessage): void {
    this.#open.add(response);
    response.once("close", () => this.#open.delete(response));
    if (this.#isPaused) queueMicrotask(() => this.#isPaused && response.pause()); // after its reader has begun
  }

  /** Closes all connections, used or not. */
  close(): void {
    for (const { short, lasting } of this.#lines.values()) {
      short.destroy();
      lasting.destroy();
    }
  }

  /** Remembers what was sent as `Authorization`, to know it again in what servers write. */
  noteAuthorization(value: string): void {
    if (this.#authorizations.at(-1) === value) return;
    this.#authorizations = [...this.#authorizations.slice(1 - maxAuthorizationsKept), value];
  }

  /** Takes what must stay secret out of a text that a server has written. */
  redact(text: string): string {
    const tokens = this.#authorizations.map((value) => value.replace(/^\S+\s+/, ""));
    return [...this.#authorizations, ...tokens, ...Object.values(this.headers)]
      .flatMap((secret) => (secret.length < minSecretLength ? [] : spellingsOf(secret)))
      .reduce((shown, secret) => shown.replaceAll(secret, "[redacted]"), text);
  }
}

/** As it is, and as it stands in raw JSON. */
function spellingsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1)];
}

/** How many values are remembered: a late answer may still hold the one before. */
const maxAuthorizationsKept = 8;

/** Shorter values are no secrets, and stand in any text by chance. */
const minSecretLength = 6;
