/** A `Request` of the web's fetch and the `Response` to it. */

import type { Body, EventSink, Exchange, HeaderList } from "./exchange.ts";

export class FetchExchange implements Exchange {
  /** Resolves when the answer begins. */
  readonly response: Promise<Response>;
  readonly method: string;
  readonly path: string;
  readonly #request: Request;
  readonly #host: string;
  readonly #answer: (response: Response) => void;
  #isAnswered = false;
  #isComplete = false;
  #isGone = false;
  #onGone: (() => void)[] = [];
  readonly #onAbort = (): void => this.#leave();

  constructor(request: Request) {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const url = new URL(request.url);
    this.response = promise;
    this.method = request.method;
    this.path = url.pathname;
    this.#request = request;
    this.#host = url.host;
    this.#answer = resolve;
    this.#isGone = request.signal.aborted;
    request.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? (name === "host" ? this.#host : undefined);
  }

  readBody(maxBytes: number, then: (body: Body) => void): void {
    void this.#collect(maxBytes).then(then, () => then("cut off"));
  }

  respond(status: number, headers: HeaderList, body = ""): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    this.#complete();
    const isEmpty = status === 204 || status === 202 || status === 304;
    this.#answer(new Response(isEmpty ? null : body, { status, headers: toPairs(headers) }));
  }

  openStream(headers: HeaderList): EventSink {
    const encoder = new TextEncoder();
    const { readable, writable } = openPipe(() => this.#leave());
    this.#isAnswered = true;
    this.#answer(new Response(readable, { status: 200, headers: toPairs(headers) }));
    return {
      write: (text) => writable.enqueue(encoder.encode(text)),
      get backlog() {
        return writable.backlog;
      },
      end: () => {
        this.#complete();
        writable.close();
      },
      destroy: () => {
        writable.fail();
        this.#leave();
      },
    };
  }

  onGone(listener: () => void): void {
    if (this.#isGone) return listener();
    this.#onGone.push(listener);
  }

  #complete(): void {
    this.#isComplete = true;
    this.#forgetSignal();
  }

  #leave(): void {
    if (this.#isComplete) return;
    this.#isGone = true;
    this.#forgetSignal();
    for (const listener of this.#onGone.splice(0)) listener();
  }

  /** A signal may outlive its request, and then holds all that listens to it. */
  #forgetSignal(): void {
    this.#request.signal.removeEventListener("abort", this.#onAbort);
  }

  async #collect(maxBytes: number): Promise<Body> {
    const declared = this.#request.headers.get("content-length") ?? "";
    if (!/^\d{1,15}$/.test(declared)) return this.#collectPieces(maxBytes);
    if (Number(declared) > maxBytes) return "too large";
    const body = Buffer.from(await this.#request.arrayBuffer()); // Hono makes no stream for it, which costs 10 kB a request
    return body.length > maxBytes ? "too large" : body;
  }

  async #collectPieces(maxBytes: number): Promise<Body> {
    const { body } = this.#request;
    const pieces: Uint8Array[] = [];
    let length = 0;
    if (body === null) return Buffer.alloc(0);
    const stream: AsyncIterable<Uint8Array> = body;
    for await (const piece of stream) {
      length += piece.length;
      if (length > maxBytes) return "too large";
      pieces.push(piece);
    }
    return Buffer.concat(pieces, length);
  }
}

interface PipeEnd {
  enqueue(bytes: Uint8Array): void;
  readonly backlog: number;
  close(): void;
  fail(): void;
}

/** Makes a stream of bytes whose writing end knows how many of them wait. */
function openPipe(onCancel: () => void): {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: PipeEnd;
} {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isOpen = true;
  const readable = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      cancel: () => {
        isOpen = false;
        onCancel();
      },
    },
    { highWaterMark: 0, size: (bytes) => bytes?.length ?? 0 },
  );
  const whenOpen = (act: (open: ReadableStreamDefaultController<Uint8Array>) => void): void => {
    if (isOpen && controller !== undefined) act(controller);
  };
  return {
    readable,
    writable: {
      enqueue: (bytes) => whenOpen((open) => open.enqueue(bytes)),
      get backlog() {
        return -(controller?.desiredSize ?? 0);
      },
      close: () => {
        whenOpen((open) => open.close());
        isOpen = false;
      },
      fail: () => {
        whenOpen((open) => open.error(new Error("The stream was broken off")));
        isOpen = false;
      },
    },
  };
}

function toPairs(headers: HeaderList): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < headers.length; at += 2)
    pairs.push([headers[at] ?? "", headers[at + 1] ?? ""]);
  return pairs;
}
