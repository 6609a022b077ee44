/** One errand under way: sent, redirected, authorized anew where it was refused, until a response or a trouble has come. */

import type { ClientRequest, IncomingMessage } from "node:http";
import type { HttpTrouble } from "../../protocol/index.ts";
import { maxAuthorizations } from "./authorizer.ts";
import { collectBody, maxErrorBytes, mediaTypeOf } from "./body.ts";
import type { Carrier, Errand } from "./carrier.ts";
import { parseChallenges } from "./challenge.ts";
import { explainNetworkError, explainStatus } from "./explain.ts";
import { isRedirect, judgeRedirect, maxRedirects } from "./redirect.ts";

/** Sends an errand on its way. */
export function carry(carrier: Carrier, errand: Errand): Carriage {
  const carriage = new Carriage(carrier, errand);
  carriage.start();
  return carriage;
}

export class Carriage {
  readonly #carrier: Carrier;
  readonly #errand: Errand;
  #url: URL;
  #isAtHome = true;
  #request: ClientRequest | undefined;
  #authorization: string | undefined;
  #redirects = 0;
  #refusals = 0;
  #isRepeated = false;
  #isOver = false;
  #isAborted = false;

  constructor(carrier: Carrier, errand: Errand) {
    this.#carrier = carrier;
    this.#errand = errand;
    this.#url = errand.url ?? carrier.url;
  }

  start(): void {
    const authorization = this.#isAtHome ? this.#carrier.authorizer?.header() : undefined;
    if (!(authorization instanceof Promise)) return this.#send(authorization);
    authorization.then(
      (value) => this.#send(value),
      (error: unknown) => this.#finish({ name: "http-unauthorized", ...explainAuthorizer(error) }),
    );
  }

  /** Breaks the request off, or the response that it has brought. */
  abort(): void {
    this.#isAborted = true;
    this.#isOver = true;
    this.#request?.destroy();
  }

  #send(authorization: string | undefined): void {
    if (this.#isOver) return;
    try {
      this.#request = this.#open(authorization);
    } catch (error) {
      this.#request = undefined;
      queueMicrotask(() => this.#fail(asError(error))); // never before carry() has returned
    }
  }

  /** Throws for headers that cannot be sent. */
  #open(authorization: string | undefined): ClientRequest {
    this.#authorization = authorization;
    if (authorization !== undefined) this.#carrier.noteAuthorization(authorization);
    const { method, body, isLasting = false } = this.#errand;
    const isAscii = body !== undefined && isAsciiText(body);
    const headers = this.#listHeaders();
    if (body !== undefined)
      headers.push("content-length", String(isAscii ? body.length : Buffer.byteLength(body)));
    const request = this.#carrier.request(this.#url, { method, headers, isLasting });
    request.on("response", this.#take);
    request.on("upgrade", (_response, connection) => this.#refuseSwitch(connection));
    request.on("error", (error) => {
      if (request === this.#request) this.#fail(error); // what an earlier one ends with is of no interest
    });
    if (body === undefined) request.end();
    else request.end(body, isAscii ? "latin1" : "utf8"); // the same bytes, in half the time
    return request;
  }

  /** A session id is worth as much as a password, and belongs to the origin that gave it, as all of the caller's headers do. */
  #listHeaders(): string[] {
    const list: string[] = [];
    const { headers } = this.#errand;
    for (const name in headers)
      if (this.#isAtHome || name !== "mcp-session-id") list.push(name, headers[name] ?? "");
    if (!this.#isAtHome) return list;
    const own = this.#carrier.headers;
    for (const name in own)
      if (this.#authorization === undefined || name.toLowerCase() !== "authorization")
        list.push(name, own[name] ?? "");
    if (this.#authorization !== undefined) list.push("authorization", this.#authorization);
    return list;
  }

  readonly #fail = (error: Error): void => {
    if (this.#isOver) return;
    const wasClosed =
      this.#request?.reusedSocket === true && "code" in error && error.code === "ECONNRESET";
    if (wasClosed && this.#errand.isRepeatable && !this.#isRepeated) {
      this.#isRepeated = true;
      return this.#send(this.#authorization);
    }
    const trouble = explainNetworkError(error, this.#url);
    this.#finish(
      wasClosed && !this.#errand.isRepeatable
        ? {
            ...trouble,
            detail: `${trouble.detail}; it may have acted on the request, so that it was not sent again`,
          }
        : trouble,
    );
  };

  readonly #take = (response: IncomingMessage): void => {
    if (this.#isOver) return void response.destroy();
    const { statusCode = 0 } = response;
    if (statusCode === 101) return this.#refuseSwitch(response); // it names no protocol, and has no end
    if (statusCode < 300) return this.#hand(response);
    if (isRedirect(statusCode)) return this.#follow(response, statusCode);
    if (
      (statusCode === 401 || statusCode === 403) &&
      this.#isAtHome &&
      this.#carrier.authorizer !== undefined
    )
      return this.#askAuthorizer(response, statusCode);
    this.#hand(response);
  };

  /** Nobody has asked for another protocol, and nothing else reads or closes its socket. */
  #refuseSwitch(connection: { readonly destroy: () => unknown }): void {
    const detail = "the server answered with 101 and another protocol, expected a response";
    this.#finish({ name: "http-status", detail, status: 101 });
    connection.destroy();
  }

  #hand(response: IncomingMessage): void {
    this.#isOver = true;
    if (mediaTypeOf(response.headers) === "text/event-stream") this.#carrier.track(response);
    this.#errand.onResponse(response);
  }

  #finish(trouble: HttpTrouble): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const detail = this.#carrier.redact(trouble.detail);
    this.#errand.onTrouble({ ...trouble, detail });
  }

  #follow(response: IncomingMessage, status: number): void {
    discard(response, this.#request);
    this.#request = undefined;
    const judged = judgeRedirect(this.#url, status, response.headers.location);
    if (judged.kind === "refuse")
      return this.#finish({ name: "http-redirect", detail: `the redirect ${judged.why}`, status });
    if (++this.#redirects > maxRedirects) {
      const detail = `over maxRedirects (${maxRedirects}) redirects came, the last to ${judged.url.host}, expected a response`;
      return this.#finish({ name: "http-redirect", detail, status });
    }
    const isPermanent = status === 301 || status === 308;
    if (isPermanent && judged.isSameOrigin && this.#url === this.#carrier.url)
      this.#carrier.url = judged.url;
    this.#url = judged.url;
    if (!judged.isSameOrigin) this.#isAtHome = false;
    this.#carrier.prepare(judged.url).then(
      () => this.start(),
      (error: unknown) => this.#fail(asError(error)),
    );
  }

  #askAuthorizer(response: IncomingMessage, status: 401 | 403): void {
    const { authorizer } = this.#carrier;
    collectBody(response, maxErrorBytes, (body) => {
      if (this.#isOver) return;
      const text = typeof body === "string" ? "" : body.toString();
      const trouble = explainStatus(status, response.statusMessage, response.headers, text);
      const challenges = parseChallenges(response.headers["www-authenticate"]);
      const count = ++this.#refusals;
      if (count > maxAuthorizations || authorizer === undefined) {
        const detail = `${trouble.detail}; it was authorized maxAuthorizations (${maxAuthorizations}) times`;
        return this.#finish({ ...trouble, detail });
      }
      const sent = this.#authorization;
      authorizer.judgeRefusal({ status, challenges, sent, count }).then(
        (verdict) => {
          switch (verdict.kind) {
            case "again":
              return this.start();
            case "unanswered":
              return this.#finish(trouble);
            case "failed": {
              const { what, hint } = verdict;
              const detail = `${trouble.detail}; ${what}`;
              return this.#finish({ ...trouble, detail, ...(hint === undefined ? {} : { hint }) });
            }
          }
        },
        (error: unknown) => {
          const { detail, ...more } = explainAuthorizer(error);
          this.#finish({ ...trouble, ...more, detail: `${trouble.detail}; ${detail}` });
        },
      );
    });
  }

  /** Takes the secrets out of what a server has said. */
  redact(text: string): string {
    return this.#carrier.redact(text);
  }

  get isAborted(): boolean {
    return this.#isAborted;
  }
}

/** Its body is of no interest, and need not end: unless it has, the connection is given up. */
function discard(response: IncomingMessage, request: ClientRequest | undefined): void {
  response.on("error", () => {}); // it is broken off from this side
  response.resume();
  if (response.headers["content-length"] === "0") return; // the connection can be kept
  response.destroy();
  request?.destroy();
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function isAsciiText(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

function explainAuthorizer(error: unknown): Pick<HttpTrouble, "detail" | "cause" | "hint"> {
  const hint = error instanceof Error && "hint" in error ? error.hint : undefined;
  const detail = error instanceof Error ? error.message : String(error);
  return { detail, cause: error, ...(typeof hint === "string" ? { hint } : {}) };
}
