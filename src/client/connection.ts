/** One open transport: sends calls, gives each its reply, and passes on what else arrives. */

import {
  createFault,
  isHttpFaultName,
  isTolerated,
  toPrintable,
  type Arrival,
  type Batch,
  type ErrorMessage,
  type Fault,
  type JsonObject,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
} from "../protocol/index.ts";
import { callOut, within, type Transport } from "../transport/index.ts";
import { giveToCall } from "./call-notifications.ts";
import {
  explainFault,
  explainServerError,
  explainCancellation,
  type Failure,
} from "./client-error.ts";
import { explainUnwritable } from "./explain-unwritable.ts";
import { describeLastWords } from "./last-words.ts";
import type { Observations } from "./observations.ts";
import { PendingCalls, type OutgoingCall, type PendingCall } from "./pending-calls.ts";
import { addProgressToken, wantsProgress } from "./progress.ts";

/** How long a server that reads no more may take to end, before it counts as running on. */
const lastWordsMs = 500;

export interface ConnectionParts {
  readonly transport: Transport;
  readonly observations: Observations;
  readonly onRequest: (message: RequestMessage, connection: Connection) => void;
  readonly onNotification: (message: NotificationMessage, connection: Connection) => void;
  readonly onFault?: ((fault: Fault) => void) | undefined;
  /** Says why nothing arrives any more. */
  readonly explainEnd: () => Promise<Failure>;
}

export class Connection {
  /** What was asked to find the era, and has got no reply yet. */
  readonly unanswered = new Set<string>();
  /** Whether an array of messages is a batch: in 2025-03-26 alone. */
  acceptsBatches = false;
  readonly transport: Transport;
  readonly observations: Observations;
  /** Resolves when nothing more can arrive. */
  readonly ended: Promise<void>;
  readonly #parts: ConnectionParts;
  readonly #pending = new PendingCalls((pending) => this.#expire(pending));
  readonly #listeners = new Set<(failure: Failure) => void>();
  #end: Failure | undefined;
  /** Why nothing that is sent can arrive any more, though what the server says still does. */
  #deafness: Failure | undefined;
  #hasBroken = false;
  #hasHeard = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.transport = parts.transport;
    this.observations = parts.observations;
    this.ended = this.#read();
    void parts.transport.broken?.then((lostSince) => this.#takeDeafness(lostSince));
  }

  /** Whether anything at all has arrived. */
  get hasHeard(): boolean {
    return this.#hasHeard;
  }

  /** Sends a request. What becomes of it is told to the call, never thrown, but for parameters that are no JSON. */
  send(call: OutgoingCall): void {
    const end = this.#end ?? this.#deafness;
    if (end !== undefined) return call.fail(this.#explainEnd(end, call.method));
    const { signal } = call.options;
    if (signal?.aborted === true) return call.fail(explainCancellation(signal));
    const id = this.#pending.nextId();
    const params = wantsProgress(call) ? addProgressToken(call.params, id) : call.params;
    try {
      this.transport.send({ kind: "request", id, method: call.method, params });
    } catch (cause) {
      throw explainUnwritable(call.method, cause);
    }
    const startedAt = performance.now();
    const onAbort =
      signal === undefined
        ? undefined
        : (): void => this.#cancel(pending, explainCancellation(signal), "cancelled");
    const pending: PendingCall = {
      id,
      call,
      startedAt,
      mark: this.observations.mark(),
      deadline: startedAt + call.timeoutMs,
      onAbort,
    };
    this.#pending.add(pending);
    if (onAbort !== undefined) signal?.addEventListener("abort", onAbort, { once: true });
  }

  /** Throws a `UsageError` for parameters that are no JSON. */
  notify(method: string, params?: JsonObject): void {
    try {
      this.transport.send({ kind: "notification", method, params });
    } catch (cause) {
      throw explainUnwritable(method, cause);
    }
  }

  /**
   * Tells why the connection ended, at once where it has: to whoever waits for something else than a reply.
   *
   * @param method what the end leaves without a reply
   * @returns how to stop listening
   */
  onEnd(method: string, tell: (failure: Failure) => void): () => void {
    const listener = (failure: Failure): void => tell(this.#explainEnd(failure, method));
    if (this.#end !== undefined) listener(this.#end);
    else this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Fails every call, present and to come; what still arrives is noted and otherwise passed over. */
  end(failure: Failure): void {
    if (this.#end !== undefined) return;
    this.#end = failure;
    for (const pending of this.#pending.removeAll())
      pending.call.fail(this.#explainEnd(failure, pending.call.method));
    for (const tell of this.#listeners) tell(failure);
    this.#listeners.clear();
  }

  async #read(): Promise<void> {
    try {
      for await (const arrivals of this.transport.incoming) {
        this.#hasHeard = true;
        for (const arrival of arrivals) this.#take(arrival);
      }
    } finally {
      this.end(await this.#parts.explainEnd());
    }
  }

  #take(arrival: Arrival): void {
    switch (arrival.kind) {
      case "result": {
        const pending = this.#pending.get(arrival.id);
        if (pending === undefined) return this.#takeUnmatched(arrival.id, "a result");
        this.#pending.remove(pending);
        return pending.call.succeed(arrival.result);
      }
      case "error":
        return this.#takeError(arrival);
      case "notification":
        return this.#takeNotification(arrival);
      case "request":
        return this.#takeRequest(arrival);
      case "batch":
        return this.#takeBatch(arrival);
      case "fault":
        return this.#takeFault(arrival);
    }
  }

  #takeError({ id, error }: ErrorMessage): void {
    const pending = id === null || id === undefined ? undefined : this.#pending.get(id);
    if (pending === undefined) {
      return this.#takeUnmatched(
        id,
        `the error ${error.code} "${toPrintable(error.message, 120)}"`,
      );
    }
    this.#pending.remove(pending);
    pending.call.fail(explainServerError(error));
  }

  /** Tells a reply under the wrong type of id from one that is late, double or nobody's. */
  #takeUnmatched(id: RequestId | null | undefined, what: string): void {
    if (this.#failByStringId(id, `${what} came`)) return;
    switch (this.#pending.fateOf(id)) {
      case "never sent":
        return this.observations.addUnknownReply(id, what);
      case "given up":
        return this.observations.addLateReply();
      case "answered":
        return this.observations.addDuplicateReply();
    }
  }

  #failByStringId(id: unknown, what: string): boolean {
    const pending = this.#pending.findByText(id);
    if (pending === undefined) return false;
    this.observations.remark(
      `The server answers with ids as strings where they were sent as numbers`,
    );
    this.#spoil(pending, {
      code: "protocol",
      what: `${what} with the id "${pending.id}" (a string), expected ${pending.id} (a number)`,
    });
    return true;
  }

  #takeFault(fault: Fault): void {
    const pending =
      fault.from === "reply" && fault.id !== undefined ? this.#pending.get(fault.id) : undefined;
    // A refusal by HTTP is one call's own end, and a way to find the era: no fault of the connection.
    if (pending !== undefined && isHttpFaultName(fault.name))
      return this.#spoil(pending, explainFault(fault));
    this.observations.addFault(fault);
    if (this.#parts.onFault !== undefined) callOut(this.#parts.onFault, fault);
    if (isTolerated(fault)) return;
    if (pending !== undefined) return this.#spoil(pending, explainFault(fault));
    if (fault.from === "reply" && this.#failByStringId(fault.id, "a faulty reply came")) return;
    if (fault.from === "reply") this.observations.addFaultyReply(fault);
    else this.observations.addStray(fault);
  }

  #takeBatch({ items }: Batch): void {
    if (this.acceptsBatches) {
      for (const item of items) this.#take(item);
      return;
    }
    const detail = `it is an array of ${items.length}, expected one message on a line of its own`;
    const fault = createFault("array-message", detail);
    this.observations.addFault(fault);
    if (this.#parts.onFault !== undefined) callOut(this.#parts.onFault, fault);
    let hasSpoilt = false;
    for (const item of items) {
      const id =
        item.kind === "result" || item.kind === "error" || item.kind === "fault"
          ? item.id
          : undefined;
      const pending = id === undefined || id === null ? undefined : this.#pending.get(id);
      if (pending === undefined) continue;
      hasSpoilt = true;
      const what = `its reply stands inside an array: ${detail}`;
      this.#spoil(pending, { code: "protocol", what, fault });
    }
    if (!hasSpoilt) this.observations.addStray(fault);
  }

  /** A program that is no server may send back what it is sent: a request of ours that is still waiting. */
  #takeRequest(request: RequestMessage): void {
    const pending = this.#pending.get(request.id);
    const isEcho = pending?.call.method === request.method && request.method !== "ping";
    if (pending === undefined || !isEcho) return this.#parts.onRequest(request, this);
    const what = `it sends back what it is sent, expected a reply to ${request.method}`;
    this.#spoil(pending, { code: "protocol", what });
  }

  #takeNotification(message: NotificationMessage): void {
    const isProgress = giveToCall(message, this.#pending, this.observations);
    if (!isProgress) this.#parts.onNotification(message, this);
  }

  #spoil(pending: PendingCall, failure: Failure): void {
    this.#pending.giveUp(pending);
    pending.call.fail(failure);
  }

  #expire(pending: PendingCall): void {
    const waited = Math.round(performance.now() - pending.startedAt);
    const deafness = this.#hasBroken ? "; the server has closed its stdin" : "";
    const what = `no reply within ${waited} ms, expected a result or an error${deafness}${this.observations.describeSince(pending.mark)}`;
    this.#cancel(pending, { code: "timeout", what }, `no reply within ${waited} ms`);
  }

  #cancel(pending: PendingCall, failure: Failure, reason: string): void {
    this.#pending.giveUp(pending);
    if (pending.call.isQuiet !== true)
      this.notify("notifications/cancelled", { requestId: pending.id, reason });
    pending.call.fail(failure);
  }

  /** What had arrived before may still be answered, what was lost and what is sent from now on is not. */
  async #takeDeafness(lostSince: number): Promise<void> {
    this.#hasBroken = true;
    const isOver = this.ended.then(() => true);
    if ((await within(isOver, lastWordsMs)) === true || this.#end !== undefined) return; // that says more
    const failure: Failure = {
      code: "closed",
      what: "the server has closed its stdin, and runs on",
    };
    this.#deafness = failure;
    for (const pending of this.#pending.sentAfter(lostSince))
      this.#spoil(pending, this.#explainEnd(failure, pending.call.method));
  }

  #explainEnd(failure: Failure, method: string): Failure {
    if (failure.code !== "exited" && failure.code !== "closed") return failure;
    return {
      ...failure,
      what: `${failure.what}, expected a reply to ${method}${describeLastWords(failure, this.observations)}`,
    };
  }
}
