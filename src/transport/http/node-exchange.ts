/** A request of `node:http` and its answer. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Body, EventSink, Exchange, HeaderList } from "./exchange.ts";

export interface NodeExchangeOptions {
  /** The request waits for `100 Continue` before it sends its body. */
  readonly expectsContinue?: boolean;
  /** How long the peer may take none of a long answer. */
  readonly stallTimeoutMs: number;
}

/** What is left of a refused body is read and dropped up to here, so that the refusal is not lost in a reset connection. */
const lingerBytes = 64 * 1024;
const lingerMs = 1000;
/** An answer above this may outgrow the socket's buffers, and so wait for a peer that reads. */
const longAnswer = 16 * 1024;

export class NodeExchange implements Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: NodeExchangeOptions;
  #isBodyTaken = false;

  constructor(request: IncomingMessage, response: ServerResponse, options: NodeExchangeOptions) {
    this.#request = request;
    this.#response = response;
    this.#options = options;
  }

  get method(): string {
    return this.#request.method ?? "";
  }

  get path(): string {
    const url = this.#request.url ?? "";
    const target = url.startsWith("/") ? url : pathOfAbsolute(url);
    const query = target.indexOf("?");
    return query === -1 ? target : target.slice(0, query);
  }

  get authority(): string | undefined {
    return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(this.#request.url ?? "")?.[1];
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  readBody(maxBytes: number, then: (body: Body) => void): void {
    const request = this.#request;
    let first: Buffer | undefined;
    let pieces: Buffer[] | undefined;
    let length = 0;
    let isOver = false;
    const finish = (body: Body): void => {
      if (isOver) return;
      isOver = true;
      then(body);
    };
    this.#isBodyTaken = true;
    const parsed = readParsedBody(request);
    if (parsed !== undefined) return then(parsed.length > maxBytes ? "too large" : parsed);
    if (request.destroyed) return then("cut off"); // its events are over: nothing below would be called
    request.on("data", (piece: Buffer) => {
      if (isOver) return;
      length += piece.length;
      if (length > maxBytes) return finish("too large");
      if (first === undefined) first = piece;
      else (pieces ??= [first]).push(piece);
    });
    request.on("end", () => {
      finish(pieces === undefined ? (first ?? noBytes) : Buffer.concat(pieces, length));
    });
    request.on("close", () => finish("cut off"));
    if (this.#options.expectsContinue === true) this.#response.writeContinue();
  }

  respond(status: number, headers: HeaderList, body = ""): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    const isEmpty = status === 204 || status === 304;
    const length = Buffer.byteLength(body);
    const list = isEmpty ? headers : ["content-length", String(length), ...headers];
    if (this.#hasLongRest()) return this.#respondAndLinger(status, list, body);
    response.writeHead(status, asMutable(list));
    response.end(this.method === "HEAD" ? undefined : body);
    if (length > longAnswer && !response.writableFinished) this.#guardStall();
  }

  openStream(headers: HeaderList): EventSink {
    const response = this.#response;
    if (!response.headersSent && !response.destroyed) {
      response.writeHead(200, asMutable(headers));
      response.flushHeaders();
    }
    return {
      write: (text) => void (response.destroyed ? undefined : response.write(text)),
      get backlog() {
        return response.writableLength;
      },
      end: () => {
        response.end();
        if (response.writableLength > 0) this.#guardStall();
      },
      destroy: () => void response.destroy(),
    };
  }

  onGone(listener: () => void): void {
    const response = this.#response;
    if (response.destroyed) return listener();
    response.once("close", () => {
      if (!response.writableFinished) listener();
    });
  }

  /** Ends a connection whose peer takes nothing of what waits for it. */
  #guardStall(): void {
    this.#response.setTimeout(this.#options.stallTimeoutMs, () => this.#response.destroy());
  }

  /** Whether much of a body that nobody will read is still to come. */
  #hasLongRest(): boolean {
    if (this.#request.complete) return false;
    if (this.#isBodyTaken) return true;
    const length = Number(this.#request.headers["content-length"] ?? 0);
    return length > lingerBytes || this.#request.headers["transfer-encoding"] !== undefined;
  }

  /** Sends the whole answer at once, but closes only when the peer has stopped sending, or after a while. */
  #respondAndLinger(status: number, headers: HeaderList, body: string): void {
    const response = this.#response;
    response.writeHead(status, asMutable(["connection", "close", ...headers]));
    response.write(body);
    const timer = setTimeout(() => response.end(), lingerMs);
    const finish = (): void => {
      clearTimeout(timer);
      response.end();
    };
    this.#request.once("end", finish);
    this.#request.once("close", finish);
    this.#request.resume();
  }
}

/** Node's types ask for an array it could change. */
function asMutable(headers: HeaderList): string[] {
  return [...headers];
}

function pathOfAbsolute(url: string): string {
  return URL.parse(url)?.pathname ?? url;
}

/** Takes the body that a framework's parser, such as `express.json()`, has already read; one it kept to itself is empty. */
function readParsedBody(request: IncomingMessage): Buffer | undefined {
  if (!request.readableEnded) return undefined;
  if (!("body" in request)) return noBytes;
  const { body } = request;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : (JSON.stringify(body) ?? ""));
}

const noBytes = Buffer.alloc(0);
