/** One session of the handshake era over HTTP: its calls, its streams, and where each message of the server's own goes. */

import {
  encodeMessage,
  ErrorCode,
  isObject,
  isRequestId,
  Underway,
  type Batch,
  type Fault,
  type Message,
  type Outgoing,
  type RequestId,
  type Revision,
} from "../../protocol/index.ts";
import type { Outlet } from "../transport.ts";
import type { Principal, Receiver } from "./application.ts";
import type { Doorway, Visit } from "./doorway.ts";
import { EventLog } from "./event-log.ts";
import type { HeaderList } from "./exchange.ts";
import { refuse, sendRefusal, type Refusal } from "./refusal.ts";
import { parseEventId, ResumableStream } from "./resumable-stream.ts";
import { SessionPost, type PostHost } from "./session-post.ts";

export class HttpSession implements Outlet, PostHost {
  readonly id: string = crypto.randomUUID();
  readonly principal: Principal | undefined;
  /** What `initialize` agreed on. */
  revision: Revision | undefined;
  /** Whether a second request came: a session nobody came back to is the first to go when room is short. */
  isConfirmed = false;
  lastUsedAt: number;
  readonly #door: Doorway;
  readonly #receiver: Receiver;
  readonly #posts = new Underway<RequestId, SessionPost>();
  /** Batches that are being answered; a reply to one names none of its requests when all of them were faulty. */
  readonly #batches = new Set<SessionPost>();
  readonly #streams = new Map<number, ResumableStream>();
  readonly #log: EventLog;
  readonly #standalone: ResumableStream;
  #nextStream = 1;
  #ending: Promise<void> | undefined;

  constructor(door: Doorway, principal: Principal | undefined) {
    const { maxStoredEvents, maxStoredBytes } = door.limits;
    this.#door = door;
    this.principal = principal;
    this.lastUsedAt = door.now();
    this.#log = new EventLog(maxStoredEvents, maxStoredBytes);
    this.#standalone = new ResumableStream(0, this.#log);
    this.#streams.set(0, this.#standalone);
    this.#receiver = door.application.open(this, { principal });
  }

  get primesStreams(): boolean {
    return this.revision !== undefined && this.revision.version >= "2025-11-25";
  }

  get ending(): Promise<void> | undefined {
    return this.#ending;
  }

  /** Whether something is running or listening: then the session is in use without requests. */
  get isBusy(): boolean {
    if (this.#posts.size > 0 || this.#batches.size > 0) return true;
    return this.#streams.values().some((stream) => stream.connectionCount > 0);
  }

  /** Answers what one POST brought. */
  receive(visit: Visit, arrival: Message | Batch): void {
    this.lastUsedAt = this.#door.now();
    switch (arrival.kind) {
      case "request":
        return this.answer(visit, arrival);
      case "batch":
        return this.#answerBatch(visit, arrival);
      case "notification":
      case "result":
      case "error":
        this.#deliver(arrival);
        visit.exchange.respond(202, visit.cors);
        return visit.done();
    }
  }

  /** Takes a faulty reply: the question it was for must not wait for a better one. */
  settle(fault: Fault): void {
    this.lastUsedAt = this.#door.now();
    this.#receiver.receive(fault);
  }

  /** Answers one request. */
  answer(
    visit: Visit,
    request: Extract<Message, { kind: "request" }>,
    headersFor?: (reply: Outgoing) => HeaderList,
  ): void {
    if (this.#refuseTaken(visit, [request.id])) return;
    const post = new SessionPost(this.#door, visit, this, [request.id], headersFor);
    this.#posts.set(request.id, post);
    this.#receiver.receive(request, post);
    if (!post.isOver) this.#door.heart.add(post);
  }

  /** Opens the stream for messages of the server's own, or continues one that was lost. Gives why it cannot be. */
  listen(visit: Visit, lastEventId: string | undefined): Refusal | undefined {
    this.lastUsedAt = this.#door.now();
    const { maxStreamsPerSession, maxStreams } = this.#door.limits;
    const connections = [...this.#streams.values()].map((stream) => stream.connectionCount);
    if (connections.reduce((sum, count) => sum + count, 0) >= maxStreamsPerSession) {
      const most = `${maxStreamsPerSession} streams of this session are open, the most it may have at once`;
      return refuse(429, most, ["retry-after", "1"]);
    }
    if (this.#door.streams.isFull) {
      const most = `${maxStreams} streams are open, the most this server takes at once`;
      return refuse(503, most, ["retry-after", "10"]);
    }
    const place = lastEventId === undefined ? undefined : parseEventId(lastEventId);
    const stream = place === undefined ? this.#standalone : this.#streams.get(place.stream);
    const isKnown = place === undefined || stream?.hasReached(place.sequence) === true;
    if (stream === undefined || !isKnown || (lastEventId !== undefined && place === undefined))
      return refuse(400, "Last-Event-ID is of no event that this session still knows");
    const { exchange, cors, principal } = visit;
    const connection = this.#door.streams.open(exchange, cors, principal?.expiresAt);
    stream.attach(connection, place?.sequence);
    return undefined;
  }

  /** Takes what the server sends: on the stream of the call it belongs to, or else on the session's own. */
  send(message: Outgoing, about?: RequestId): void {
    if (message.kind === "batch") return this.#findBatch(message.items)?.send(message);
    const post = about === undefined ? undefined : this.#posts.get(about);
    if (post !== undefined) return post.send(message);
    if (message.kind === "request" || message.kind === "notification")
      this.#standalone.send(encodeMessage(message));
  }

  openResumable(): ResumableStream {
    for (const stream of this.#streams.values()) {
      const isGone = stream.isFinished && !this.#log.has(stream.number);
      if (isGone) this.#streams.delete(stream.number);
    }
    const stream = new ResumableStream(this.#nextStream++, this.#log);
    this.#streams.set(stream.number, stream);
    return stream;
  }

  answerFor(message: Outgoing): void {
    if (message.kind !== "batch") this.#receiver.receive(message);
  }

  forget(post: SessionPost): void {
    this.lastUsedAt = this.#door.now();
    this.#batches.delete(post);
    for (const id of post.ids) if (this.#posts.get(id) === post) this.#posts.delete(id);
  }

  /** Ends the session: at once, or after its running calls have had their time. */
  async close(how: "at once" | "after its calls"): Promise<void> {
    if (how === "at once") {
      this.#ending ??= this.#receiver.whenIdle();
      this.#receiver.cancelAll("The session has ended");
    }
    await this.#receiver.close();
    for (const post of new Set([...this.#posts.values(), ...this.#batches])) post.forgo();
    for (const stream of this.#streams.values()) stream.finish();
  }

  #answerBatch(visit: Visit, batch: Batch): void {
    const ids = batch.items.filter((item) => item.kind === "request").map((item) => item.id);
    if (this.#refuseTaken(visit, ids)) return;
    const owesReply = batch.items.some((item) => item.kind === "request" || item.kind === "fault");
    if (!owesReply) {
      for (const item of batch.items) this.#deliver(item);
      visit.exchange.respond(202, visit.cors);
      return visit.done();
    }
    const post = new SessionPost(this.#door, visit, this, ids);
    for (const id of ids) this.#posts.set(id, post);
    this.#batches.add(post);
    this.#receiver.receive(batch);
    if (!post.isOver) this.#door.heart.add(post);
  }

  /** Gives the receiver what gets no reply. */
  #deliver(arrival: Batch["items"][number]): void {
    this.#receiver.receive(arrival);
    if (arrival.kind !== "notification" || arrival.method !== "notifications/cancelled") return;
    const id = arrival.params?.["requestId"];
    if (!isRequestId(id)) return;
    const post = this.#posts.get(id); // a batch's collected replies do not say that the last of them was cancelled
    if (post !== undefined && this.#batches.has(post)) post.forgo(id);
  }

  /** Refuses ids that are in flight: their replies could not be told apart. */
  #refuseTaken({ exchange, cors, done }: Visit, ids: readonly RequestId[]): boolean {
    const taken = ids.find((id, at) => this.#posts.has(id) || ids.indexOf(id) !== at);
    if (taken === undefined) return false;
    const message = `The id ${JSON.stringify(taken)} is in flight, expected one that no running call has`;
    sendRefusal(exchange, { status: 400, code: ErrorCode.InvalidRequest, message }, cors);
    done();
    return true;
  }

  #findBatch(replies: readonly Message[]): SessionPost | undefined {
    for (const reply of replies) {
      const id = isObject(reply) && "id" in reply ? reply.id : undefined;
      const post = isRequestId(id) ? this.#posts.get(id) : undefined;
      if (post !== undefined) return post;
    }
    return this.#batches.values().find((post) => post.open.size === 0);
  }
}
