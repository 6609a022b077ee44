/** A server over stdio whose tools are called: each call is timed from when its line is written to when the reply's end is read. */

import { encode, openedNotification, openingRequest, toRecord } from "../messages.ts";
import { Subject } from "../process.ts";
import type { Command } from "./server.ts";

export type Arguments = Readonly<Record<string, unknown>>;

export interface TimedReply {
  readonly result: Readonly<Record<string, unknown>>;
  readonly ms: number;
}

interface TimedLine {
  readonly id: number;
  readonly line: string;
  readonly ms: number;
}

interface Waiting {
  readonly sentAt: number;
  readonly resolve: (reply: TimedLine) => void;
}

const revision = "2025-11-25"; // the newest that all of them speak
const newline = 10;
/** Lines held until the clock stands still. */
const batch = 200;

export class ToolSession implements AsyncDisposable {
  readonly subject: Subject;
  readonly #waiting = new Map<number, Waiting>();
  #chunks: Buffer[] = [];
  #nextId = 2;

  private constructor(command: Command) {
    this.subject = new Subject(command);
    this.subject.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
  }

  /** Starts the server and says hello. */
  static async open(command: Command): Promise<ToolSession> {
    const session = new ToolSession(command);
    try {
      const { id, method, params } = openingRequest(revision);
      const hello = Promise.withResolvers<TimedLine>();
      session.#send(id, encode({ id, method, params }), hello.resolve);
      readResult(await session.subject.orFail(hello.promise));
      session.subject.stdin.write(openedNotification(revision));
      return session;
    } catch (error) {
      await session[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Throws when the reply is an error; a result with `isError` is a result. */
  async call(tool: string, args: Arguments): Promise<TimedReply> {
    const { promise, resolve } = Promise.withResolvers<TimedLine>();
    this.#sendCall(tool, args, resolve);
    return readResult(await this.subject.orFail(promise));
  }

  /** Makes one call after the other with as little as possible between a reply and the next call: replies are read later. */
  async *callInTurn(tool: string, list: readonly Arguments[]): AsyncGenerator<TimedReply> {
    for (let from = 0; from < list.length; from += batch) {
      const replies: TimedLine[] = [];
      const some = list.slice(from, from + batch);
      const { promise, resolve } = Promise.withResolvers<void>();
      const next = (reply?: TimedLine): void => {
        if (reply !== undefined) replies.push(reply);
        const args = some[replies.length];
        if (args === undefined) resolve();
        else this.#sendCall(tool, args, next);
      };
      next();
      await this.subject.orFail(promise);
      for (const reply of replies) yield readResult(reply);
    }
  }

  #sendCall(tool: string, args: Arguments, resolve: Waiting["resolve"]): void {
    this.#nextId += 1;
    const id = this.#nextId;
    this.#send(
      id,
      encode({ id, method: "tools/call", params: { name: tool, arguments: args } }),
      resolve,
    );
  }

  #send(id: number, line: string, resolve: Waiting["resolve"]): void {
    this.#waiting.set(id, { sentAt: performance.now(), resolve });
    this.subject.stdin.write(line);
  }

  #receive(chunk: Buffer): void {
    const at = performance.now();
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      this.#chunks.push(chunk.subarray(from, end));
      const line = Buffer.concat(this.#chunks).toString();
      this.#chunks = [];
      from = end + 1;
      this.#settle(line, at);
    }
    if (from < chunk.length) this.#chunks.push(chunk.subarray(from));
  }

  #settle(line: string, at: number): void {
    const id = this.#findId(line);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return; // a notification
    this.#waiting.delete(id);
    waiting.resolve({ id, line, ms: at - waiting.sentAt });
  }

  /** With one call in flight its reply need not be read yet. */
  #findId(line: string): number {
    const [only] = this.#waiting.keys();
    if (only !== undefined && this.#waiting.size === 1) return only;
    return Number(toRecord(JSON.parse(line))["id"]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.subject[Symbol.asyncDispose]();
  }
}

function readResult({ id, line, ms }: TimedLine): TimedReply {
  const reply = toRecord(JSON.parse(line));
  if (reply["id"] !== id || reply["result"] === undefined)
    throw new Error(`Wrong reply: ${line.slice(0, 300)}`);
  return { result: toRecord(reply["result"]), ms };
}
