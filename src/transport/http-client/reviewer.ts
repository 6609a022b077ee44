/** Looks at each reply before the caller does: learns what it says of the session and the tools, and mends what can be mended. */

import {
  ErrorCode,
  faultOfTrouble,
  protocolVersionOf,
  type Arrival,
  type HttpTrouble,
  type JsonObject,
  type ResultMessage,
} from "../../protocol/index.ts";
import type { Exchange, Reply } from "./exchange.ts";
import { statelessVersionOf, type HttpSession } from "./http-session.ts";
import type { ToolHeaders } from "./tool-headers.ts";

export interface ReviewerParts {
  readonly session: HttpSession;
  readonly tools: ToolHeaders;
  readonly ask: (method: string, params: JsonObject) => Promise<Arrival>;
  /** Keeps what is sent from now on back. */
  readonly hold: () => void;
  /** Sends `notifications/initialized`, and lets go what was kept back. */
  readonly initialized: () => Promise<void>;
  /** Lets go what was kept back. */
  readonly release: () => void;
  readonly fallBack: (exchange: Exchange, otherwise: Arrival) => void;
  readonly report: (trouble: HttpTrouble) => void;
}

/** The statuses by which servers refuse a POST of `initialize` that they have no place for. */
const noPlace = new Set([400, 404, 405, 406, 415, 501]);

/** How many pages are read to learn what a tool wants in its headers. */
const maxPages = 50;

export class Reviewer {
  readonly #parts: ReviewerParts;
  #renewing: Promise<HttpTrouble | undefined> | undefined;

  constructor(parts: ReviewerParts) {
    this.#parts = parts;
  }

  /** Gives what is delivered, or `undefined` where the request goes out once more. */
  review(exchange: Exchange, { message, status, headers }: Reply): readonly Arrival[] | undefined {
    const { request } = exchange;
    if (message.kind === "result") return this.#learn(exchange, message, headers["mcp-session-id"]);
    const { code, message: text } = message.error;
    if (code !== ErrorCode.MethodNotFound && isSessionLost(exchange, status, text)) {
      void this.#renewFor(exchange);
      return undefined;
    }
    if (
      request.method === "initialize" &&
      noPlace.has(status) &&
      !isModern(code) &&
      isFirst(exchange, "old")
    ) {
      this.#parts.fallBack(exchange, message);
      return undefined;
    }
    const isMismatch = request.method === "tools/call" && code === ErrorCode.HeaderMismatch;
    if (isMismatch && isFirst(exchange, "list")) {
      void this.#relist(exchange, message);
      return undefined;
    }
    return [message];
  }

  /** Gives true where the request goes out once more. */
  reviewTrouble(exchange: Exchange, trouble: HttpTrouble): boolean {
    const { status = 0, name, detail } = trouble;
    if (name !== "http-status") return false;
    if (isSessionLost(exchange, status, detail)) {
      void this.#renewFor(exchange);
      return true;
    }
    const { request } = exchange;
    if (request.method !== "initialize" || !noPlace.has(status) || !isFirst(exchange, "old"))
      return false;
    this.#parts.fallBack(exchange, faultOfTrouble(trouble, request.id));
    return true;
  }

  /** Opens a new session in the place of a lost one; all who ask meanwhile wait for the same. Gives what went wrong. */
  renew(lost: string | undefined): Promise<HttpTrouble | undefined> {
    if (lost !== this.#parts.session.id) return Promise.resolve(undefined);
    this.#renewing ??= this.#openAgain().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  #learn(exchange: Exchange, message: ResultMessage, sessionId: unknown): readonly Arrival[] {
    const { session, tools } = this.#parts;
    const { request } = exchange;
    if (request.method === "initialize") {
      const id = Array.isArray(sessionId) ? sessionId.join() : sessionId;
      const wrong = session.open(request, message, typeof id === "string" ? id : undefined);
      return wrong === undefined
        ? [message]
        : [faultOfTrouble({ name: "http-session", detail: wrong }, request.id)];
    }
    const version = protocolVersionOf(request.params);
    if (version === undefined) {
      session.takeSuccess(request);
      return [message];
    }
    session.statelessVersion = statelessVersionOf(version);
    if (request.method !== "tools/list") return [message];
    const { result, left } = tools.takeList(message.result);
    return [...left.map((trouble) => faultOfTrouble(trouble)), { ...message, result }];
  }

  async #renewFor(exchange: Exchange): Promise<void> {
    const trouble = await this.renew(exchange.sessionId);
    if (trouble === undefined) exchange.run();
    else exchange.fail(trouble);
  }

  /** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management */
  async #openAgain(): Promise<HttpTrouble | undefined> {
    const { session, ask, hold, initialized, release, report } = this.#parts;
    const { version } = session;
    hold();
    const reply = await ask("initialize", session.opening ?? {});
    const isSame = reply.kind === "result" && session.version === version;
    if (isSame) {
      const repeated = [...session.repeated];
      await initialized();
      for (const { method, params } of repeated) await ask(method, params);
      report({ name: "http-session-renewed", detail: describeRenewal(repeated.length) });
      return undefined;
    }
    if (reply.kind === "result") await initialized();
    else release();
    return {
      name: "http-session",
      detail: `the server has ended the session, and ${describeReply(reply)}, expected a new one`,
    };
  }

  /** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#client-behavior */
  async #relist(exchange: Exchange, otherwise: Arrival): Promise<void> {
    const { ask, tools } = this.#parts;
    const { params = {} } = exchange.request;
    const before = JSON.stringify(tools.headersFor(params));
    let cursor: unknown;
    for (let page = 0; page < maxPages; page++) {
      const next = cursor === undefined ? {} : { cursor };
      const reply = await ask("tools/list", { ...next, _meta: params["_meta"] });
      if (reply.kind !== "result") break;
      cursor = reply.result["nextCursor"];
      if (typeof cursor !== "string") break;
    }
    if (JSON.stringify(tools.headersFor(params)) === before) exchange.conclude([otherwise]);
    else exchange.run();
  }
}

function isFirst(exchange: Exchange, what: string): boolean {
  if (exchange.tried.has(what)) return false;
  exchange.tried.add(what);
  return true;
}

/** 404 says it; some servers say it by 400 and in words. */
function isSessionLost(exchange: Exchange, status: number, text: string): boolean {
  if (exchange.sessionId === undefined) return false;
  const isLost = status === 404 || (status === 400 && /\bsession\b/i.test(text));
  return isLost && isFirst(exchange, "session");
}

function isModern(code: number): boolean {
  return (
    code === ErrorCode.UnsupportedProtocolVersion ||
    code === ErrorCode.MissingRequiredClientCapability ||
    code === ErrorCode.HeaderMismatch
  );
}

function describeRenewal(count: number): string {
  const again =
    count === 0 ? "" : `, and ${count} of its subscriptions and settings were asked for again`;
  return `the server had ended the session, so a new one was opened${again}`;
}

function describeReply(reply: Arrival): string {
  if (reply.kind === "error")
    return `initialize was answered with the error ${reply.error.code}: ${reply.error.message}`;
  return reply.kind === "fault" ? reply.detail : "the new one is of another version";
}
