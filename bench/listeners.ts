/** Many connections that listen for changes of the list of tools, by `subscriptions/listen` over HTTP. */

import { connect, type Socket } from "node:net";
import { firstId } from "./digits.ts";
import { encodeHttp } from "./http-bytes.ts";
import type { HttpPeer } from "./http-peer.ts";
import { encode, listenRequest } from "./messages.ts";

/** Fewer than a server keeps waiting to be accepted. */
const openedAtOnce = 100;
/** What an event ends with, in a chunk of its own. */
const eventEnd = "\n\n\r\n";

export class Listeners implements Disposable {
  readonly #peer: HttpPeer;
  readonly #listeners: Listener[] = [];
  #waiting = 0;
  #startedAt = 0;
  #firstMs = 0;
  #finish: (() => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;

  private constructor(peer: HttpPeer) {
    this.#peer = peer;
  }

  static async open(peer: HttpPeer, count: number): Promise<Listeners> {
    const listeners = new Listeners(peer);
    while (listeners.#listeners.length < count) {
      const more = Math.min(openedAtOnce, count - listeners.#listeners.length);
      await listeners.#await(more, () => {
        for (let i = 0; i < more; i += 1) listeners.#add();
      });
    }
    listeners.#check("notifications/subscriptions/acknowledged");
    return listeners;
  }

  /** Gives the milliseconds until the first and the last of the listeners have heard of a change. Throws when one heard anything else. */
  async hear(change: () => void): Promise<{ readonly first: number; readonly last: number }> {
    await this.#await(this.#listeners.length, change);
    const last = performance.now() - this.#startedAt;
    this.#check("notifications/tools/list_changed");
    return { first: this.#firstMs, last };
  }

  [Symbol.dispose](): void {
    for (const { socket } of this.#listeners) socket.destroy();
  }

  #await(count: number, act: () => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#finish = resolve;
    this.#fail = reject;
    this.#waiting = count;
    this.#firstMs = 0;
    this.#startedAt = performance.now();
    act();
    return this.#peer.server.orFail(promise);
  }

  #add(): void {
    const { port } = this.#peer;
    const request = listenRequest(firstId + this.#listeners.length);
    const listener: Listener = { id: request.id, socket: connect(port, "127.0.0.1"), heard: "" };
    listener.socket.setEncoding("latin1").on("data", (text: string) => {
      listener.heard += text;
      if (listener.heard.endsWith(eventEnd)) this.#note();
    });
    listener.socket.on("error", (error) => this.#fail?.(error));
    listener.socket.on("end", () => this.#fail?.(new Error("The server closed a stream")));
    listener.socket.write(
      encodeHttp(port, this.#peer.headersFor(request.method), encode(request).trimEnd()),
    );
    this.#listeners.push(listener);
  }

  #note(): void {
    if (this.#firstMs === 0) this.#firstMs = performance.now() - this.#startedAt;
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#finish?.();
  }

  /** Checks that each listener has heard of one thing, under its own id, and forgets it. */
  #check(method: string): void {
    for (const listener of this.#listeners) {
      const { id, heard } = listener;
      const events = heard.match(/^data: .*$/gm) ?? [];
      const isRight = events.length === 1 && heard.includes(method) && heard.includes(`:${id}`);
      if (!isRight) throw new Error(`Listener ${id} heard ${heard.slice(0, 1_000)}`);
      listener.heard = "";
    }
  }
}

interface Listener {
  readonly id: number;
  readonly socket: Socket;
  heard: string;
}
