/**
 * Keeps echo calls in flight over HTTP, one on each of a number of connections that stay open, for several times less work than
 * any server has with them.
 *
 * Each connection has a request and the reply expected to it as bytes made beforehand: only the digits of the id change. A reply
 * is right when it is byte by byte the expected one, but for what its `Date` says.
 */

import { connect, type Socket } from "node:net";
import { firstId, writeId } from "./digits.ts";
import { encodeHttp, findReplyLength, parseReply } from "./http-bytes.ts";
import type { HttpPeer } from "./http-peer.ts";
import { checkEcho, echoRequest, encode, shortText, toRecord } from "./messages.ts";
import type { Rate } from "./rate.ts";

/** The latest calls whose durations are kept. */
const durationCount = 2 ** 17;
const dateBytes = "Sun, 06 Nov 1994 08:49:37 GMT".length;
const readBytes = 16 * 1024;

export class HttpPump implements Disposable {
  readonly #peer: HttpPeer;
  readonly #request: Buffer;
  readonly #reply: Buffer;
  readonly #connections: Connection[] = [];
  readonly #durations = new Float64Array(durationCount);
  #nextId = firstId + 1;
  #sent = 0;
  #answered = 0;
  /** Calls that may still be sent. */
  #left = 0;
  #finish: (() => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;

  private constructor(peer: HttpPeer, request: Buffer, reply: Buffer) {
    this.#peer = peer;
    this.#request = request;
    this.#reply = reply;
  }

  /** Learns from one reply what all of them must look like. */
  static async create(peer: HttpPeer): Promise<HttpPump> {
    const message = echoRequest(firstId, peer.revision, shortText);
    const headers = peer.headersFor(message.method, message.params["name"]);
    const request = encodeHttp(peer.port, headers, encode(message).trimEnd());
    const reply = await peer.server.orFail(exchange(peer.port, request));
    const { id, result } = toRecord(parseReply(reply));
    if (id !== firstId) throw new Error(`Wrong id: ${reply.toString()}`);
    checkEcho(result, shortText);
    return new HttpPump(peer, request, reply);
  }

  get answered(): number {
    return this.#answered;
  }

  /** Keeps a call in flight on each of this many connections; resolves when the last is answered. Rejects on the first wrong reply. */
  run(flight: number, calls = Number.POSITIVE_INFINITY): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#finish = resolve;
    this.#fail = reject;
    this.#left = calls;
    while (this.#connections.length < flight) this.#connections.push(this.#connect());
    const now = performance.now();
    for (const connection of this.#connections.slice(0, flight)) this.#sendOn(connection, now);
    return this.#peer.server.orFail(promise);
  }

  /** Sends no more. */
  stop(): void {
    this.#left = 0;
  }

  /** The milliseconds that each of these calls took, of the latest 131 072. */
  durations([from, to]: Rate["counted"]): readonly number[] {
    const length = to - from;
    if (length > durationCount) throw new Error("More durations were asked for than are kept");
    return Array.from({ length }, (_, i) => this.#durations[(from + i) % durationCount] ?? 0);
  }

  [Symbol.dispose](): void {
    for (const { socket } of this.#connections) socket.destroy();
  }

  #connect(): Connection {
    const receive = (size: number, bytes: Uint8Array): void => {
      try {
        this.#receive(connection, bytes, size);
      } catch (error) {
        this.#fail?.(error);
      }
    };
    const connection = new Connection(this.#peer.port, this.#request, this.#reply, receive);
    connection.socket.on("error", (error) => this.#fail?.(error));
    connection.socket.on("end", () => this.#fail?.(new Error("The server closed a connection")));
    return connection;
  }

  #sendOn(connection: Connection, now: number): void {
    if (this.#left === 0) return;
    this.#left -= 1;
    this.#sent += 1;
    connection.startedAt = now;
    connection.send(this.#nextId);
    this.#nextId += 1;
  }

  #receive(connection: Connection, bytes: Uint8Array, size: number): void {
    if (!connection.receive(bytes, size)) return;
    const now = performance.now();
    this.#durations[this.#answered % durationCount] = now - connection.startedAt;
    this.#answered += 1;
    this.#sendOn(connection, now);
    if (this.#left === 0 && this.#answered === this.#sent) this.#finish?.();
  }
}

class Connection {
  readonly socket: Socket;
  startedAt = 0;
  readonly #request: Buffer;
  readonly #requestIdAt: number;
  readonly #expected: Buffer;
  readonly #expectedIdAt: number;
  /** Where the text of the header `Date` begins and ends. */
  readonly #date: readonly [from: number, to: number];
  readonly #received: Buffer;
  #size = 0;

  constructor(
    port: number,
    request: Buffer,
    reply: Buffer,
    onRead: (size: number, bytes: Uint8Array) => void,
  ) {
    this.#request = Buffer.from(request);
    this.#requestIdAt = request.indexOf(String(firstId));
    this.#expected = Buffer.from(reply);
    this.#expectedIdAt = reply.indexOf(String(firstId));
    this.#date = findDate(reply);
    this.#received = Buffer.alloc(reply.length + readBytes);
    this.socket = connect({
      host: "127.0.0.1",
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.alloc(readBytes),
        callback: (size, bytes) => {
          onRead(size, bytes);
          return true;
        },
      },
    });
  }

  send(id: number): void {
    writeId(this.#request, this.#requestIdAt, id);
    writeId(this.#expected, this.#expectedIdAt, id);
    this.socket.write(this.#request); // its last bytes are gone when the reply to it is here
  }

  /** Gives whether the reply is whole. Throws as soon as it is wrong. */
  receive(bytes: Uint8Array, size: number): boolean {
    this.#received.set(size === bytes.length ? bytes : bytes.subarray(0, size), this.#size);
    this.#size += size;
    if (this.#size > this.#expected.length || !this.#isRight()) {
      throw new Error(`Wrong reply: ${this.#received.toString("utf8", 0, this.#size)}`);
    }
    if (this.#size < this.#expected.length) return false;
    this.#size = 0;
    return true;
  }

  #isRight(): boolean {
    const [from, to] = this.#date;
    return this.#isSame(0, Math.min(from, this.#size)) && this.#isSame(to, this.#size);
  }

  #isSame(from: number, to: number): boolean {
    return from >= to || this.#received.compare(this.#expected, from, to, from, to) === 0;
  }
}

function findDate(reply: Buffer): readonly [from: number, to: number] {
  const at = reply.toString("latin1").search(/(?<=\r\nDate: )/i);
  return at === -1 ? [reply.length, reply.length] : [at, at + dateBytes];
}

/** Sends one request on a connection of its own and gives the bytes of the reply. */
function exchange(port: number, request: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = connect({ host: "127.0.0.1", port });
  let bytes = Buffer.alloc(0);
  socket.on("data", (piece) => {
    bytes = Buffer.concat([bytes, piece]);
    const length = findReplyLength(bytes);
    if (length === undefined) return;
    socket.destroy();
    resolve(bytes.subarray(0, length));
  });
  socket.on("error", reject);
  socket.on("end", () => reject(new Error(`The server closed a connection: ${bytes.toString()}`)));
  socket.write(request);
  return promise;
}
