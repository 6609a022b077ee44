/** One request by POST and all that comes back for it, until its reply has come or cannot come any more. */

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import {
  faultOfTrouble,
  protocolVersionOf,
  type Arrival,
  type ErrorMessage,
  type HttpTrouble,
  type RequestId,
  type RequestMessage,
  type ResultMessage,
} from "../../protocol/index.ts";
import { collectBody, maxErrorBytes, mediaTypeOf, readMessageBytes } from "./body.ts";
import { carry, type Carriage } from "./carriage.ts";
import type { Carrier } from "./carrier.ts";
import { readEventStream } from "./event-stream.ts";
import { explainContentType, explainStatus } from "./explain.ts";
import { findReply } from "./find-reply.ts";

export interface Reply {
  readonly message: ResultMessage | ErrorMessage;
  /** 200 where it came by an event stream. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** What all exchanges of one transport share. */
export interface ExchangeOwner {
  readonly carrier: Carrier;
  /** The longest body, and the longest event. */
  readonly maxBytes: number;
  headersFor(exchange: Exchange): Record<string, string>;
  /** Sees each message's bytes, as they came. */
  watch(message: Buffer | string): void;
  readonly deliver: (arrivals: readonly Arrival[]) => void;
  /** Looks at the reply before it is delivered: gives it, or what takes its place, or `undefined` where it is not the end. */
  review(exchange: Exchange, reply: Reply): readonly Arrival[] | undefined;
  /** Looks at a trouble before it is delivered: true where it is not the end. */
  reviewTrouble(exchange: Exchange, trouble: HttpTrouble): boolean;
  /** Goes on with a stream that broke off after an event with an id. */
  resume(exchange: Exchange, from: ResumePoint): void;
  finish(exchange: Exchange): void;
}

export interface ResumePoint {
  readonly lastEventId: string;
  readonly retryMs: number | undefined;
  /** Whether anything came since the last time. */
  readonly hasMoved: boolean;
}

type Accepted = "replied" | "nothing" | "taken over";

/** How long a stream may stay open after its reply: then it is closed from this side. */
const lingerMs = 1_000;

export class Exchange {
  readonly request: RequestMessage;
  readonly body: string;
  /** Whether it belongs to no session, and so to no stream that could be gone on with. */
  readonly isStateless: boolean;
  /** What has been tried already, by the owner. */
  readonly tried = new Set<string>();
  /** The session that it was last sent in. */
  sessionId: string | undefined;
  /** How often the stream was gone on with, without anything new. */
  idleResumes = 0;
  readonly #owner: ExchangeOwner;
  readonly #deliver: (arrivals: readonly Arrival[]) => void;
  #carriage: Carriage | undefined;
  /** How often it was sent: what an earlier response ends with is of no interest. */
  #round = 0;
  #isOver = false;
  #hasReplied = false;

  /** @param deliver takes what arrives, where that is not the owner's caller */
  constructor(
    owner: ExchangeOwner,
    request: RequestMessage,
    body: string,
    deliver: (arrivals: readonly Arrival[]) => void = owner.deliver,
  ) {
    this.#owner = owner;
    this.request = request;
    this.body = body;
    this.isStateless = protocolVersionOf(request.params) !== undefined;
    this.#deliver = deliver;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends the request, for the first time or once more. */
  run(): void {
    if (this.#isOver) return;
    this.#round++;
    const { method } = this.request;
    this.#carriage = carry(this.#owner.carrier, {
      method: "POST",
      headers: this.#owner.headersFor(this),
      body: this.body,
      isLasting: method === "subscriptions/listen",
      isRepeatable: method !== "tools/call", // a tool may act, and twice is not once
      onResponse: (response) => this.#take(response),
      onTrouble: (trouble) => this.fail(trouble),
    });
  }

  /** Takes the connection of a stream that is gone on with, to be broken off by an abort. */
  adopt(carriage: Carriage): void {
    if (this.#isOver) carriage.abort();
    else this.#carriage = carriage;
  }

  /**
   * Reads a stream in which the reply may stand, of the POST itself or of the GET that goes on with it.
   *
   * @param resumedFrom the event that a resumed stream goes on from
   */
  readStream(response: IncomingMessage, resumedFrom?: string): void {
    const round = this.#round;
    let hasMoved = false;
    const reader = readEventStream(response, this.#owner.maxBytes, {
      onArrivals: (arrivals, data) => {
        hasMoved = true;
        this.#owner.watch(data);
        if (this.#accept(arrivals, 200, response.headers) === "replied")
          setTimeout(() => this.abort(), lingerMs).unref();
      },
      onOddity: (trouble) => this.#owner.deliver([faultOfTrouble(trouble)]),
      onEnd: (isWhole) => {
        if (this.#isOver || round !== this.#round) return;
        const { lastEventId = resumedFrom, retryMs } = reader;
        if (this.#hasReplied) return this.#finish();
        if (lastEventId !== undefined && !this.isStateless)
          return this.#owner.resume(this, { lastEventId, retryMs, hasMoved });
        this.fail(isWhole ? streamEnded : cutOff);
      },
    });
  }

  /** Ends it by a trouble, in the place of the reply. */
  fail(trouble: HttpTrouble): void {
    if (this.#isOver) return;
    if (this.#hasReplied || this.#owner.reviewTrouble(this, trouble)) return;
    this.#deliver([faultOfTrouble(trouble, this.request.id)]);
    this.#finish();
  }

  /** Ends it by this, without another look. */
  conclude(arrivals: readonly Arrival[]): void {
    if (this.#isOver) return;
    this.#deliver(arrivals);
    this.#finish();
  }

  /** Breaks it off: no reply is wanted any more. */
  abort(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#carriage?.abort();
    this.#owner.finish(this);
  }

  #take(response: IncomingMessage): void {
    const { statusCode = 0, headers } = response;
    const type = mediaTypeOf(headers);
    if (statusCode >= 300) return this.#takeError(response);
    if (headers["content-encoding"] === undefined || headers["content-encoding"] === "identity") {
      if (type === "application/json") return this.#takeJson(response, statusCode);
      if (type === "text/event-stream") return this.readStream(response);
    }
    collectBody(response, maxErrorBytes, (body) => {
      const text = this.#show(typeof body === "string" ? "" : body.toString());
      this.fail(explainContentType(statusCode, headers, text));
    });
  }

  #takeJson(response: IncomingMessage, status: number): void {
    const { request } = this;
    const { maxBytes } = this.#owner;
    collectBody(response, maxBytes, (body) => {
      if (this.#isOver) return;
      if (body === "cut off") return this.fail(cutOff);
      if (body === "too large") return this.fail(tooLarge(maxBytes));
      this.#owner.watch(body);
      const arrivals = readMessageBytes(body, request.id).map(nameError(request.id));
      this.#conclude(this.#accept(arrivals, status, response.headers));
    });
  }

  /** An error status with a JSON-RPC error in its body is that error; whose it is, is known. */
  #takeError(response: IncomingMessage): void {
    const { statusCode = 0, statusMessage, headers } = response;
    const { request } = this;
    collectBody(response, maxErrorBytes, (body) => {
      if (this.#isOver) return;
      const bytes = typeof body === "string" ? Buffer.alloc(0) : body;
      const [arrival] = readMessageBytes(bytes, request.id).map(nameError(request.id)).slice(-1);
      const isReply = arrival?.kind === "error" && arrival.id === request.id;
      if (isReply && statusCode !== 401 && statusCode !== 403)
        return this.#conclude(this.#accept([arrival], statusCode, headers));
      const text = this.#show(arrival?.kind === "error" ? arrival.error.message : bytes.toString());
      this.fail(explainStatus(statusCode, statusMessage, headers, text));
    });
  }

  #conclude(accepted: Accepted): void {
    if (accepted === "replied") this.#finish();
    if (accepted === "nothing") this.fail(noReplyInBody);
  }

  #accept(arrivals: readonly Arrival[], status: number, headers: IncomingHttpHeaders): Accepted {
    if (this.#isOver) return "replied";
    const message = this.#hasReplied ? undefined : findReply(arrivals, this.request.id);
    if (message === undefined) {
      this.#deliver(arrivals);
      return "nothing";
    }
    const reviewed =
      message.kind === "fault" ? [message] : this.#owner.review(this, { message, status, headers });
    if (reviewed === undefined) return "taken over";
    this.#hasReplied = true;
    this.#deliver(arrivals.flatMap((arrival) => (arrival === message ? reviewed : [arrival])));
    return "replied";
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#owner.finish(this);
  }

  #show(text: string): string {
    return this.#carriage?.redact(text) ?? text;
  }
}

/** An error that names no request is, in a response, about the one that was sent. */
function nameError(id: RequestId): (arrival: Arrival) => Arrival {
  return (arrival) =>
    arrival.kind === "error" && (arrival.id === undefined || arrival.id === null)
      ? { kind: "error", id, error: arrival.error }
      : arrival;
}

const cutOff: HttpTrouble = {
  name: "http-cut-off",
  detail: "the connection broke off inside the response, expected the whole of it",
};
const streamEnded: HttpTrouble = {
  name: "http-no-reply",
  detail: "the event stream ended without the reply, expected it before the end",
};
const noReplyInBody: HttpTrouble = {
  name: "http-no-reply",
  detail: "the body holds no reply to this request, expected one with its id",
};

function tooLarge(maxBytes: number): HttpTrouble {
  const detail = `the body is over ${maxBytes} bytes (maxLineBytes), expected a shorter one`;
  return { name: "http-content-type", detail };
}
