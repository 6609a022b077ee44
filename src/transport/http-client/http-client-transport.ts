/** Calls a server by Streamable HTTP: each message a POST, each reply in its response; both eras, and the transport before them. */

import {
  encodeMessage,
  faultOfTrouble,
  isRequestId,
  Underway,
  type Arrival,
  type HttpTrouble,
  type JsonObject,
  type NotificationMessage,
  type Outgoing,
  type RequestId,
  type RequestMessage,
} from "../../protocol/index.ts";
import { ArrivalQueue } from "../arrival-queue.ts";
import { defaultMaxLineBytes } from "../line-reader.ts";
import type { LineObserver } from "../line-tap.ts";
import type { Transport } from "../transport.ts";
import { within } from "../within.ts";
import { carry } from "./carriage.ts";
import { Carrier, type CarrierOptions } from "./carrier.ts";
import { Exchange, type ExchangeOwner } from "./exchange.ts";
import { HttpSession } from "./http-session.ts";
import { Listening } from "./listening.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { headersOf } from "./message-headers.ts";
import { OldChannel } from "./old-channel.ts";
import { Outbox } from "./outbox.ts";
import { resumeStream } from "./resume-stream.ts";
import { Reviewer } from "./reviewer.ts";
import { ToolHeaders } from "./tool-headers.ts";

export interface HttpClientOptions extends CarrierOptions {
  /** The longest body or event in bytes; default 16 MiB. */
  readonly maxLineBytes?: number | undefined;
}

/** How long closing waits for what was sent last, and for the server to end the session. */
const closeGraceMs = 1_000;

/** How long a request of the transport's own may stay without a reply: calls wait for it. */
export const askTimeoutMs = 10_000;

/** How long the first calls wait for the server's own stream, which may be where it asks about them. */
const listenGraceMs = 500;

export class HttpClientTransport implements Transport {
  readonly incoming: AsyncIterable<readonly Arrival[]>;
  readonly #queue: ArrivalQueue<readonly Arrival[]>;
  readonly #carrier: Carrier;
  readonly #maxBytes: number;
  readonly #session = new HttpSession();
  readonly #tools = new ToolHeaders();
  readonly #outbox: Outbox;
  readonly #reviewer: Reviewer;
  readonly #owner: ExchangeOwner;
  readonly #exchanges = new Underway<RequestId, Exchange>();
  #listening: Listening | undefined;
  #old: OldChannel | undefined;
  /** What waits while the session is being opened, in order. */
  #held: (() => void)[] | undefined;
  #observer: LineObserver | undefined;
  #asked = 0;
  #closing: Promise<void> | undefined;

  /** Loads `node:http` or `node:https`; nothing is sent before the first message. */
  static async open(options: HttpClientOptions): Promise<HttpClientTransport> {
    return new HttpClientTransport(await Carrier.open(options), options);
  }

  private constructor(carrier: Carrier, { maxLineBytes = defaultMaxLineBytes }: HttpClientOptions) {
    this.#carrier = carrier;
    this.#maxBytes = maxLineBytes;
    this.#queue = new ArrivalQueue(carrier.flow);
    this.incoming = this.#queue;
    this.#outbox = new Outbox(carrier, this.#report);
    const reviewer = new Reviewer({
      session: this.#session,
      tools: this.#tools,
      ask: (method, params) => this.#ask(method, params),
      hold: () => {
        this.#held ??= [];
      },
      initialized: () => this.#notify(initialized, encodeMessage(initialized)),
      release: () => this.#release(),
      fallBack: (exchange, otherwise) => void this.#fallBack(exchange, otherwise),
      report: this.#report,
    });
    this.#reviewer = reviewer;
    this.#owner = {
      carrier,
      maxBytes: maxLineBytes,
      headersFor: (exchange) => {
        const { request, isStateless } = exchange;
        exchange.sessionId = isStateless || isInitialize(request) ? undefined : this.#session.id;
        return headersOf(request, this.#session, this.#tools);
      },
      watch: (message) => {
        if (this.#observer !== undefined) this.#watch(message);
      },
      deliver: this.#deliver,
      review: (exchange, reply) => reviewer.review(exchange, reply),
      reviewTrouble: (exchange, trouble) => reviewer.reviewTrouble(exchange, trouble),
      resume: (exchange, point) =>
        resumeStream(exchange, point, carrier, () => this.#session.headers),
      finish: ({ request }) => this.#exchanges.delete(request.id),
    };
  }

  observe(observer: LineObserver): void {
    this.#observer = observer;
  }

  send(message: Outgoing): void {
    if (this.#closing !== undefined) return;
    const body = encodeMessage(message);
    if (this.#held === undefined || isInitialize(message)) this.#dispatch(message, body);
    else this.#held.push(() => this.#dispatch(message, body));
  }

  drained(): Promise<void> | undefined {
    return this.#outbox.drained();
  }

  /** Ends the session, and breaks off what is still under way. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #dispatch(message: Outgoing, body: string): void {
    this.#observer?.({ direction: "sent", bytes: Buffer.from(`${body}\n`) });
    if (this.#old !== undefined) return void this.#postOld(this.#old, message, body);
    if (message.kind === "request") return this.#start(new Exchange(this.#owner, message, body));
    if (message.kind === "notification") return void this.#notify(message, body);
    void this.#post(message, body);
  }

  #start(exchange: Exchange): void {
    this.#exchanges.set(exchange.request.id, exchange);
    exchange.run();
  }

  async #notify(message: NotificationMessage, body: string): Promise<void> {
    if (message.method === "notifications/initialized") {
      this.#held ??= [];
      await this.#post(message, body);
      this.#listen();
      if (this.#listening !== undefined) await within(this.#listening.answered, listenGraceMs);
      return this.#release();
    }
    if (message.method !== "notifications/cancelled") return this.#post(message, body);
    const id = message.params?.["requestId"];
    const exchange = isRequestId(id) ? this.#exchanges.get(id) : undefined;
    if (exchange === undefined) return; // its reply has come meanwhile
    // Since 2026-07-28 a closed response says it; before, a closed response says nothing.
    if (!exchange.isStateless) await this.#post(message, body);
    exchange.abort();
  }

  #post(message: Outgoing, body: string): Promise<void> {
    return this.#outbox.post({ headers: headersOf(message, this.#session, this.#tools), body });
  }

  /** Lets go what was held. */
  #release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const go of held) go();
  }

  /** Listens to what the server says on its own. */
  #listen(): void {
    this.#listening?.stop();
    if (this.#closing !== undefined || this.#old !== undefined) return;
    this.#listening = new Listening({
      carrier: this.#carrier,
      maxBytes: this.#maxBytes,
      headers: () => this.#session.headers,
      deliver: this.#deliverStream,
      report: this.#report,
      onSessionGone: () => void this.#reviewer.renew(this.#session.id),
    });
    this.#listening.start();
  }

  /** Sends a request of the transport's own, and keeps its reply from the caller. */
  #ask(method: string, params: JsonObject): Promise<Arrival> {
    const id = `genkan-http-${++this.#asked}`;
    const request: RequestMessage = { kind: "request", id, method, params };
    return new Promise((resolve) => {
      const take = (arrivals: readonly Arrival[]): void => {
        const reply = arrivals.find((arrival) => "id" in arrival && arrival.id === id);
        if (reply !== undefined) finish(reply);
        this.#deliver(arrivals.filter((arrival) => arrival !== reply));
      };
      const exchange = new Exchange(this.#owner, request, encodeMessage(request), take);
      const timer = setTimeout(() => {
        exchange.abort();
        const detail = `${method} had no reply within ${askTimeoutMs} ms (askTimeoutMs)`;
        finish(faultOfTrouble({ name: "http-no-reply", detail }, id));
      }, askTimeoutMs).unref(); // its connection keeps the process
      const finish = (reply: Arrival): void => {
        clearTimeout(timer);
        resolve(reply);
      };
      this.#start(exchange);
    });
  }

  /** Tries the transport of 2024-11-05 for an `initialize` that no POST was taken for. */
  async #fallBack(exchange: Exchange, otherwise: Arrival): Promise<void> {
    const opened = await OldChannel.open({
      carrier: this.#carrier,
      maxBytes: this.#maxBytes,
      deliver: this.#deliverStream,
      onEnd: () => this.#queue.end(),
    });
    if (!(opened instanceof OldChannel)) return exchange.conclude([otherwise]);
    if (this.#closing !== undefined) return opened.close();
    this.#old = opened;
    const { request, body } = exchange;
    exchange.abort();
    await this.#postOld(opened, request, body);
  }

  async #postOld({ endpoint }: OldChannel, message: Outgoing, body: string): Promise<void> {
    const headers = { "content-type": "application/json" };
    const trouble = await this.#outbox.carry({ headers, body, url: endpoint });
    if (trouble === undefined || trouble.name === "http-oddity") return; // it answers as it likes: the reply comes by the stream
    this.#deliver([faultOfTrouble(trouble, message.kind === "request" ? message.id : undefined)]);
  }

  async #close(): Promise<void> {
    await within(this.#outbox.flushed(), closeGraceMs);
    this.#outbox.abort();
    this.#listening?.stop();
    this.#old?.close();
    for (const exchange of this.#exchanges.values()) exchange.abort();
    if (this.#session.id !== undefined) await within(this.#endSession(), closeGraceMs);
    this.#queue.end();
    this.#carrier.close();
  }

  /** A server may refuse it (405): then the session ends when it is idle. */
  #endSession(): Promise<void> {
    return new Promise((resolve) => {
      carry(this.#carrier, {
        method: "DELETE",
        headers: this.#session.headers,
        isRepeatable: true,
        onTrouble: () => resolve(),
        onResponse: (response) => {
          response.resume();
          response.on("error", () => {}); // nothing more is wanted of it
          response.on("close", () => resolve());
        },
      });
    });
  }

  readonly #deliver = (arrivals: readonly Arrival[]): void => {
    if (arrivals.length > 0) this.#queue.push(hideSecrets(arrivals, this.#redact));
  };

  readonly #redact = (text: string): string => this.#carrier.redact(text);

  readonly #deliverStream = (arrivals: readonly Arrival[], data: string): void => {
    this.#watch(data);
    this.#deliver(arrivals);
  };

  readonly #watch = (message: Buffer | string): void => {
    this.#observer?.({ direction: "received", bytes: Buffer.from(`${message.toString()}\n`) });
  };

  readonly #report = (trouble: HttpTrouble): void => this.#deliver([faultOfTrouble(trouble)]);
}

const initialized: NotificationMessage = {
  kind: "notification",
  method: "notifications/initialized",
  params: undefined,
};

function isInitialize(message: Outgoing): boolean {
  return message.kind === "request" && message.method === "initialize";
}
