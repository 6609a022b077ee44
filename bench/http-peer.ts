/** A server under measurement that is open for one revision over HTTP. Asks it whatever is not part of a timed loop. */

import { createInterface } from "node:readline";
import {
  checkEcho,
  echoRequest,
  encode,
  openedNotification,
  openingRequest,
  shortText,
  toRecord,
  type Request,
  type Revision,
} from "./messages.ts";
import type { Subject } from "./process.ts";

export class HttpPeer {
  readonly server: Subject;
  readonly port: number;
  readonly revision: Revision;
  #session: string | undefined;

  private constructor(server: Subject, port: number, revision: Revision) {
    this.server = server;
    this.port = port;
    this.revision = revision;
  }

  /** Waits for the port, opens a session where the revision has them, and checks that the server answers. */
  static async open(server: Subject, revision: Revision): Promise<HttpPeer> {
    const peer = new HttpPeer(server, await readPort(server), revision);
    await peer.ask(openingRequest(revision));
    const opened = openedNotification(revision);
    if (opened !== "") await peer.#post(peer.headersFor("notifications/initialized"), opened);
    return peer;
  }

  headersFor(method: string, name?: unknown): Readonly<Record<string, string>> {
    const isStateless = this.revision === "2026-07-28";
    return {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(method === "initialize" ? {} : { "mcp-protocol-version": this.revision }),
      ...(isStateless ? { "mcp-method": method } : {}),
      ...(isStateless && typeof name === "string" ? { "mcp-name": name } : {}),
      ...(this.#session === undefined ? {} : { "mcp-session-id": this.#session }),
    };
  }

  /** Gives the result. Throws when the reply is an error or to something else. */
  async ask(request: Request): Promise<unknown> {
    const { id, method, params } = request;
    const text = await this.#post(this.headersFor(method, params["name"]), encode(request));
    const reply: unknown = JSON.parse(text);
    const { id: repliedTo, result } = toRecord(reply);
    if (repliedTo === id && result !== undefined) return result;
    throw new Error(`Wrong reply to ${method}: ${text.slice(0, 300)}`);
  }

  async #post(headers: Readonly<Record<string, string>>, body: string): Promise<string> {
    const url = `http://127.0.0.1:${this.port}/mcp`;
    const response = await this.server.orFail(fetch(url, { method: "POST", headers, body }));
    this.#session ??= response.headers.get("mcp-session-id") ?? undefined;
    const text = await this.server.orFail(response.text());
    if (response.ok) return text;
    throw new Error(`Wrong status ${response.status}: ${text.slice(0, 300)}`);
  }
}

/** Opens a server and checks that it echoes. */
export async function openHttpEcho(server: Subject, revision: Revision): Promise<HttpPeer> {
  const peer = await HttpPeer.open(server, revision);
  checkEcho(await peer.ask(echoRequest(2, revision, shortText)), shortText);
  return peer;
}

/** Reads the line that the server prints once it listens. */
export async function readPort(server: Subject): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<string>();
  createInterface({ input: server.stdout }).once("line", resolve);
  return Number(await server.orFail(promise));
}
