/** Where what a server sends on its own goes: its requests, and what it tells. */

import {
  parseChange,
  toPrintable,
  type NotificationMessage,
  type RequestMessage,
  type Revision,
} from "../protocol/index.ts";
import { callOut } from "../transport/index.ts";
import type { Connection } from "./connection.ts";
import { FreshResults } from "./fresh-results.ts";
import { Observations } from "./observations.ts";
import type { Wiring } from "./opening.ts";
import type { ConnectOptions } from "./options.ts";
import { ServerRequests } from "./server-requests.ts";
import type { Subscriptions } from "./subscriptions.ts";

export class Receivers implements Wiring {
  readonly observations = new Observations();
  readonly fresh = new FreshResults();
  readonly serverRequests: ServerRequests;
  readonly #tell: ConnectOptions["onNotification"];
  #era: Revision["era"] | undefined;
  #subscriptions: Subscriptions | undefined;

  constructor({ handlers = {}, onNotification }: ConnectOptions, handlerTimeoutMs: number) {
    this.serverRequests = new ServerRequests(handlers, handlerTimeoutMs);
    this.#tell = onNotification;
  }

  /** Takes what is known once the two sides agree. */
  settle(era: Revision["era"], subscriptions: Subscriptions): void {
    this.#era = era;
    this.#subscriptions = subscriptions;
  }

  readonly onRequest = (request: RequestMessage, connection: Connection): void => {
    if (this.#era !== "stateless") return this.serverRequests.take(request, connection);
    // A stateless server must not send requests, and a client must not write responses to it.
    this.observations.addUnansweredRequest();
    this.observations.remark(
      `The server sent the request "${toPrintable(request.method, 60)}", which 2026-07-28 forbids`,
    );
  };

  readonly onNotification = (message: NotificationMessage): void => {
    if (message.method === "notifications/cancelled") this.serverRequests.cancel(message.params);
    const change = parseChange(message);
    if (change !== undefined) {
      this.fresh.takeChange(change);
      this.#subscriptions?.takeChange(change);
    }
    if (this.#tell !== undefined) callOut(this.#tell, message);
  };
}
