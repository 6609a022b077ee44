/**
 * The answer to one POST of a session: JSON when its reply comes first, a stream when something else does. Unlike a stateless
 * one it goes on when its connection is lost.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
 */

import { encodeMessage, ErrorCode, type Outgoing, type RequestId } from "../../protocol/index.ts";
import type { ReplyOutlet } from "./application.ts";
import type { Doorway, Visit } from "./doorway.ts";
import type { HeaderList } from "./exchange.ts";
import type { Beating } from "./heart.ts";
import type { ResumableStream } from "./resumable-stream.ts";

/** What a POST needs of the session it belongs to. */
export interface PostHost {
  openResumable(): ResumableStream;
  /** Whether a stream begins with an id and no data. */
  readonly primesStreams: boolean;
  /** Takes the client's answer to a question that cannot be put to it. */
  answerFor(message: Outgoing): void;
  forget(post: SessionPost): void;
  /** When the code of all calls has ended, once the session was ended with some of them running. */
  readonly ending: Promise<void> | undefined;
}

export class SessionPost implements ReplyOutlet, Beating {
  /** The requests that the POST brought. */
  readonly ids: readonly RequestId[];
  /** Those of them that are not yet answered or cancelled. */
  readonly open: Set<RequestId>;
  readonly #door: Doorway;
  readonly #visit: Visit;
  readonly #host: PostHost;
  readonly #headersFor: (reply: Outgoing) => HeaderList;
  #stream: ResumableStream | undefined;
  #isOver = false;
  #hasWaited = false;

  /** @param headersFor gives the headers that come with a reply */
  constructor(
    door: Doorway,
    visit: Visit,
    host: PostHost,
    ids: readonly RequestId[],
    headersFor: (reply: Outgoing) => HeaderList = () => [],
  ) {
    this.#door = door;
    this.#visit = visit;
    this.#host = host;
    this.ids = ids;
    this.open = new Set(ids);
    this.#headersFor = headersFor;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  send(message: Outgoing): void {
    if (this.#isOver) return;
    switch (message.kind) {
      case "result":
      case "error":
      case "batch":
        return this.#conclude(message);
      case "notification":
        return this.#openStream()?.send(encodeMessage(message));
      case "request":
        return this.#ask(message);
    }
  }

  /** One request was cancelled: no reply will come. Without any left to wait for, the answer ends empty. */
  forgo(id?: RequestId): void {
    if (id !== undefined) this.open.delete(id);
    if (this.#isOver || (id !== undefined && this.open.size > 0)) return;
    const { exchange, wants, cors } = this.#visit;
    this.#isOver = true;
    if (this.#stream !== undefined) this.#stream.finish();
    else if (wants.events && !this.#door.streams.isFull)
      this.#door.streams.open(exchange, cors).end();
    else exchange.respond(202, cors);
    this.#finish();
  }

  /** A call that takes long gets its stream early, so that comments keep the connection alive. */
  beat(): void {
    if (this.#hasWaited) this.#openStream();
    this.#hasWaited = true;
  }

  #ask(message: Extract<Outgoing, { kind: "request" }>): void {
    const stream = this.#openStream();
    if (stream !== undefined) return stream.send(encodeMessage(message));
    const error = {
      code: ErrorCode.InvalidRequest,
      message: "the client's Accept leaves out text/event-stream, so it cannot be asked",
    };
    queueMicrotask(() => this.#host.answerFor({ kind: "error", id: message.id, error }));
  }

  #openStream(headers: HeaderList = []): ResumableStream | undefined {
    const { exchange, wants, cors } = this.#visit;
    if (this.#stream !== undefined || !wants.events || this.#door.streams.isFull)
      return this.#stream;
    this.#stream = this.#host.openResumable();
    this.#stream.attach(this.#door.streams.open(exchange, [...headers, ...cors]));
    if (this.#host.primesStreams) this.#stream.prime();
    return this.#stream;
  }

  #conclude(message: Outgoing): void {
    const { exchange, wants, cors } = this.#visit;
    const text = encodeMessage(message);
    const headers = this.#headersFor(message);
    if (!wants.json) this.#openStream(headers);
    this.#isOver = true;
    if (this.#stream === undefined) {
      exchange.respond(200, ["content-type", "application/json", ...headers, ...cors], text);
    } else {
      this.#stream.send(text);
      this.#stream.finish();
    }
    this.#finish();
  }

  #finish(): void {
    this.#door.heart.delete(this);
    const { ending } = this.#host;
    if (ending === undefined) this.#visit.done();
    else void ending.then(this.#visit.done);
    this.#host.forget(this);
  }
}
