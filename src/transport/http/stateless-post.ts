/**
 * The answer to one stateless request: JSON when its reply comes first, a stream when something else does.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#receiving-messages
 */

import {
  encodeMessage,
  ErrorCode,
  type Outgoing,
  type RequestMessage,
} from "../../protocol/index.ts";
import type { Receiver, ReplyOutlet } from "./application.ts";
import type { Doorway, Running, Visit } from "./doorway.ts";
import { formatEvent, type EventStream } from "./event-stream.ts";
import type { Beating } from "./heart.ts";
import { sendRefusal } from "./refusal.ts";

/** Gives the receiver one request, and the caller what becomes of it; the caller's leaving cancels it. */
export function answerStateless(door: Doorway, visit: Visit, request: RequestMessage): void {
  new StatelessPost(door, visit, request).start();
}

class StatelessPost implements ReplyOutlet, Beating, Running {
  readonly #door: Doorway;
  readonly #visit: Visit;
  readonly #request: RequestMessage;
  #receiver: Receiver | undefined;
  #stream: EventStream | undefined;
  #isOver = false;
  #hasWaited = false;

  constructor(door: Doorway, visit: Visit, request: RequestMessage) {
    this.#door = door;
    this.#visit = visit;
    this.#request = request;
  }

  start(): void {
    const { application, heart, running } = this.#door;
    const { exchange, principal } = this.#visit;
    const receiver = application.open(this, { principal });
    this.#receiver = receiver;
    receiver.receive(this.#request, this);
    if (this.#isOver) return void receiver.close();
    heart.add(this);
    running.add(this);
    exchange.onGone(() => this.#leave());
  }

  send(message: Outgoing): void {
    if (this.#isOver) return;
    switch (message.kind) {
      case "result":
      case "error":
        return this.#conclude(encodeMessage(message), statusOf(message));
      case "notification":
        return void this.#openStream()?.write(formatEvent(encodeMessage(message)));
      case "request": // the stateless era has none, and a single request makes no batch
      case "batch":
    }
  }

  /** The call was cancelled from this side: the server is stopping. */
  forgo(): void {
    if (this.#isOver) return;
    const error = { code: ErrorCode.InternalError, message: "The server is stopping" };
    this.#conclude(encodeMessage({ kind: "error", id: this.#request.id, error }), 503);
  }

  /** A call that takes long gets its stream early, so that comments keep the connection alive. */
  beat(): void {
    if (this.#hasWaited) this.#openStream();
    this.#hasWaited = true;
  }

  async close(): Promise<void> {
    await this.#receiver?.close();
  }

  #openStream(): EventStream | undefined {
    const { exchange, wants, cors, principal } = this.#visit;
    if (this.#stream !== undefined || !wants.events || this.#door.streams.isFull)
      return this.#stream;
    const isListener = this.#request.method === "subscriptions/listen"; // a call ends by itself, a listener never would
    const expiresAt = isListener ? principal?.expiresAt : undefined;
    this.#stream = this.#door.streams.open(exchange, cors, expiresAt);
    this.#stream.onClosed = () => this.#leave();
    return this.#stream;
  }

  #conclude(text: string, status: number): void {
    const { exchange, wants, cors } = this.#visit;
    this.#isOver = true;
    if (!wants.json && status === 200 && !this.#door.streams.isFull)
      this.#stream ??= this.#door.streams.open(exchange, cors);
    if (this.#stream === undefined) {
      exchange.respond(status, ["content-type", "application/json", ...cors], text);
    } else {
      this.#stream.write(formatEvent(text));
      this.#stream.end();
    }
    this.#finish();
  }

  /** The caller has gone, or its stream was broken off: either cancels the call. */
  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#receiver?.cancelAll("The caller closed the connection");
    this.#stream?.end();
    this.#finish(this.#receiver?.whenIdle());
  }

  /** @param idle when the code of an abandoned call ends: until then it counts, or calling and leaving would be a way round `maxInFlight` */
  #finish(idle?: Promise<void>): void {
    const { done } = this.#visit;
    this.#door.heart.delete(this);
    this.#door.running.delete(this);
    if (idle === undefined) done();
    else void idle.then(done);
    void this.#receiver?.close();
  }
}

/** Refuses a listener that could not be told anything. Gives whether it was refused. */
export function refuseListener(
  door: Doorway,
  visit: Visit,
  { id, method }: RequestMessage,
): boolean {
  if (method !== "subscriptions/listen") return false;
  const { exchange, wants, cors, done } = visit;
  if (wants.events && !door.streams.isFull) return false;
  const refusal = wants.events
    ? {
        status: 503,
        code: ErrorCode.InternalError,
        message: `${door.limits.maxStreams} streams are open, the most this server takes at once`,
        headers: ["retry-after", "10"],
      }
    : {
        status: 406,
        code: ErrorCode.InvalidRequest,
        message: "Accept leaves out text/event-stream, expected it: a subscription is a stream",
      };
  sendRefusal(exchange, refusal, cors, id);
  done();
  return true;
}

/** The HTTP status of a reply: the specification names one for its own errors, and the rest is told in the body alone. */
function statusOf(message: Extract<Outgoing, { kind: "result" | "error" }>): number {
  return message.kind === "result" ? 200 : (statuses.get(message.error.code) ?? 200);
}

const statuses = new Map<number, number>([
  [ErrorCode.ParseError, 400],
  [ErrorCode.InvalidRequest, 400],
  [ErrorCode.MethodNotFound, 404],
  [ErrorCode.HeaderMismatch, 400],
  [ErrorCode.MissingRequiredClientCapability, 400],
  [ErrorCode.UnsupportedProtocolVersion, 400],
]);
