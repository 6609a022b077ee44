/** One peer of a server: takes what arrives, gives every request exactly one reply, and no notification any. */

import {
  createFault,
  describeThrown,
  ErrorCode,
  findRevision,
  isObject,
  isRequestId,
  isTolerated,
  protocolVersionOf,
  replyToFault,
  type Arrival,
  type Batch,
  type Change,
  type ErrorMessage,
  type Fault,
  type JsonObject,
  type LoggingLevel,
  type NotificationMessage,
  type Outgoing,
  type RequestId,
  type RequestMessage,
  type ResultMessage,
  type ServerRequestMethod,
} from "../protocol/index.ts";
import type { Outlet } from "../transport/index.ts";
import type { Asks } from "./asks.ts";
import { Call } from "./call.ts";
import type { Caller } from "./caller.ts";
import { CallsInFlight, type ReplyOutlet } from "./calls-in-flight.ts";
import type { Catalogue } from "./catalogue.ts";
import { identifyCaller } from "./identify-caller.ts";
import { findMethod, loadNextMethods } from "./methods/methods.ts";
import type { Listener, Peer } from "./peer.ts";
import { describeFailure, internalError, sealResult } from "./reply.ts";

export class Session implements Peer {
  handshake: Caller | undefined;
  isOpen = false;
  logLevel: LoggingLevel = "info";
  readonly principal: string | undefined;
  readonly #catalogue: Catalogue;
  readonly #outlet: Outlet;
  #subscribedUris: Set<string> | undefined;
  #listeners: Map<RequestId, Listener> | undefined;
  #asks: Promise<Asks> | undefined;
  readonly #calls = new CallsInFlight();
  #isCancelled = false;
  #arriving: Promise<void> | undefined;
  #finishing: Promise<void> | undefined;

  /** @param principal who the peer has proven to be, where its transport asks for that */
  constructor(catalogue: Catalogue, outlet: Outlet, principal?: string) {
    this.principal = principal;
    this.#catalogue = catalogue;
    this.#outlet = outlet;
  }

  /** Made only when asked for, as the next one: over HTTP a session may live for one request. */
  get subscribedUris(): Set<string> {
    return (this.#subscribedUris ??= new Set());
  }

  get listeners(): Map<RequestId, Listener> {
    return (this.#listeners ??= new Map());
  }

  get isBacklogged(): boolean {
    const { backlog = 0 } = this.#outlet;
    return backlog > this.#catalogue.limits.maxBacklogBytes;
  }

  /** Handles one arrival; replies leave by the outlet, at once or later. Never throws. */
  receive(arrival: Arrival, outlet: ReplyOutlet = this.#outlet): void {
    switch (arrival.kind) {
      case "request":
        return this.#answer(arrival, outlet);
      case "notification":
        return this.#note(arrival);
      case "result":
      case "error":
        return this.#settle(arrival);
      case "batch":
        return this.#receiveBatch(arrival);
      case "fault":
        return arrival.from === "reply" ? this.#settle(arrival) : this.#refuse(arrival, outlet);
    }
  }

  #settle(answer: ResultMessage | ErrorMessage | Fault): void {
    void this.#asks?.then((asks) => asks.settle(answer));
  }

  send(message: Outgoing, about: RequestId): void {
    const outlet = this.#calls.outletOf(about) ?? this.#outlet;
    outlet.send(message, about);
  }

  async ask(
    method: ServerRequestMethod,
    params: JsonObject,
    about: RequestId,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    this.#asks ??= this.#createAsks();
    return (await this.#asks).ask(method, params, about, signal);
  }

  /** Tells the peer what has changed, if it asked to know. */
  announce(change: Change): void {
    if (!this.isOpen && this.#listeners === undefined) return;
    void import("./announce.ts").then(({ announce }) => announce(this, change, this.#outlet));
  }

  /**
   * Lets running calls finish, at most `drainMs`, and cancels the rest: the peer sends nothing more. The code of calls that
   * were cancelled one by one has that time too; after `cancelAll` nothing is waited for.
   */
  finish(drainMs: number): Promise<void> {
    return (this.#finishing ??= this.#finish(drainMs));
  }

  async #finish(drainMs: number): Promise<void> {
    if (this.#arriving !== undefined) await this.#arriving;
    for (const listener of this.#listeners?.values() ?? []) listener.end();
    void this.#asks?.then((asks) => asks.close());
    if (!this.#isCancelled) await this.#calls.whenIdle(drainMs);
    this.cancelAll("The connection is closing");
  }

  /** Resolves when the code of every call has ended, that of cancelled ones too. */
  whenIdle(): Promise<void> {
    return this.#calls.whenIdle(Infinity);
  }

  /** Cancels every running call without a reply. */
  cancelAll(reason: string): void {
    this.#isCancelled = true;
    this.#calls.cancelAll(reason);
  }

  /** The way of a request: who asks → which method → its result, now or later → one reply. */
  #answer(request: RequestMessage, outlet: ReplyOutlet): void {
    if (!this.#admit(request, outlet)) return;
    let call: Call | undefined;
    try {
      call = new Call(this, this.#catalogue, request, identifyCaller(request, this.handshake));
      const result = this.#run(call);
      if (result instanceof Promise) this.#await(call, result, outlet);
      else this.#reply(call, result, outlet);
    } catch (thrown) {
      this.#fail(request, call, thrown, outlet);
    }
  }

  #run(call: Call): JsonObject | Promise<JsonObject> {
    const method = findMethod(call.request.method, call.revision, this.#catalogue);
    if (!(method instanceof Promise)) return method(call);
    return method.then((loaded) => (call.isOver ? {} : loaded(call))); // cancelled meanwhile: nothing is to be done
  }

  /** Refuses an id that is in flight (with no id, so that the first call's reply stays the only one) and a flood. */
  #admit(request: RequestMessage, outlet: Outlet): boolean {
    if (this.#calls.size === 0) return true;
    if (this.#calls.has(request.id)) {
      const message = `The id ${JSON.stringify(request.id)} is in flight, expected one that no running call has`;
      const id = this.#unreadableId(request.params);
      outlet.send({ kind: "error", id, error: { code: ErrorCode.InvalidRequest, message } });
      return false;
    }
    const { maxInFlight, maxInFlightBytes } = this.#catalogue.limits;
    if (this.#calls.size >= maxInFlight)
      return this.#turnAway(request, outlet, `${maxInFlight} calls are running`);
    if (request.bytes !== undefined && this.#calls.countBytes() + request.bytes > maxInFlightBytes)
      return this.#turnAway(
        request,
        outlet,
        `with it the running calls would hold over ${maxInFlightBytes} bytes`,
      );
    return true;
  }

  #turnAway({ id }: RequestMessage, outlet: Outlet, what: string): false {
    const message = `${what}, the most this server takes at once; send it again after a reply`;
    outlet.send({ kind: "error", id, error: { code: ErrorCode.InternalError, message } }, id);
    return false;
  }

  #await(call: Call, result: Promise<JsonObject>, outlet: ReplyOutlet): void {
    this.#calls.add(call, outlet);
    result.then(
      (value) => this.#conclude(call, () => this.#reply(call, value, outlet)),
      (thrown: unknown) =>
        this.#conclude(call, () => this.#fail(call.request, call, thrown, outlet)),
    );
  }

  /** Ends a call with its reply, unless it was cancelled before. */
  #conclude(call: Call, reply: () => void): void {
    if (this.#calls.end(call)) reply();
  }

  /** Sends a result, or the error of one that JSON cannot carry. */
  #reply(call: Call, result: JsonObject, outlet: Outlet): void {
    try {
      outlet.send({ kind: "result", id: call.id, result: sealResult(result, call) }, call.id);
    } catch (unsayable) {
      return this.#fail(call.request, call, unsayable, outlet);
    }
    call.end();
    loadNextMethods();
  }

  #fail(request: RequestMessage, call: Call | undefined, thrown: unknown, outlet: Outlet): void {
    const { error, report } = describeFailure(
      thrown,
      request.method,
      call?.revision.era ?? "handshake",
    );
    call?.end();
    if (report !== undefined) this.#catalogue.report(report);
    try {
      outlet.send({ kind: "error", id: request.id, error }, request.id);
    } catch (unsayable) {
      // The `data` of a `WireError` that JSON cannot carry.
      this.#catalogue.report(`${request.method} failed: ${describeThrown(unsayable)}`);
      outlet.send({ kind: "error", id: request.id, error: internalError }, request.id);
    }
  }

  #note({ method, params }: NotificationMessage): void {
    if (method === "notifications/initialized") this.isOpen = true;
    if (method !== "notifications/cancelled") return;
    const requestId = params?.["requestId"];
    const reason = params?.["reason"];
    if (isRequestId(requestId))
      this.#calls.cancel(requestId, typeof reason === "string" ? reason : "The caller cancelled");
  }

  #receiveBatch(batch: Batch): void {
    if (this.handshake?.revision.batches !== true) return this.#refuse(arrayMessage, this.#outlet);
    this.#arriving = this.#receiveItems(batch);
  }

  async #receiveItems(batch: Batch): Promise<void> {
    const { createBatchOutlet } = await import("./batch-outlet.ts");
    const outlet = createBatchOutlet(this.#outlet, batch);
    for (const item of batch.items) this.receive(item, outlet);
  }

  async #createAsks(): Promise<Asks> {
    const { Asks } = await import("./asks.ts");
    return new Asks(this.#outlet, this.#catalogue.limits.askTimeoutMs);
  }

  #refuse(fault: Fault, outlet: Outlet): void {
    if (isTolerated(fault)) return;
    const params = isObject(fault.value?.["params"]) ? fault.value["params"] : undefined;
    const reply = replyToFault(fault, this.#unreadableId(params) === null ? "null" : "omitted");
    if (reply !== undefined) outlet.send(reply);
  }

  /** What stands in place of an id, in the words of the revision that the parameters name, or of the session. */
  #unreadableId(params: JsonObject | undefined): null | undefined {
    const revision = findRevision(protocolVersionOf(params)) ?? this.handshake?.revision;
    return revision?.unreadableId === "omitted" ? undefined : null;
  }
}

const arrayMessage = createFault(
  "array-message",
  "it is an array; only 2025-03-26 has batches, expected one message",
);
