/** The MCP endpoint: takes each HTTP request through the guard, to the era it belongs to. */

import {
  describeThrown,
  ErrorCode,
  findRevision,
  protocolVersionOf,
  type Arrival,
  type Fault,
  type RequestMessage,
} from "../../protocol/index.ts";
import type { HttpApplication, Principal } from "./application.ts";
import type { Authenticator } from "./authenticator.ts";
import { answerOtherPath } from "./answer-other-path.ts";
import { checkPost } from "./check-post.ts";
import { checkScopes } from "./check-scopes.ts";
import { checkStateless } from "./check-stateless.ts";
import { allowedMethods, answerPreflight, corsHeaders } from "./cors.ts";
import type { Doorway, Visit } from "./doorway.ts";
import { EventStreams } from "./event-stream.ts";
import type { Body, Exchange, HeaderList } from "./exchange.ts";
import { findOwnSession, findSession } from "./find-session.ts";
import { checkAuthority, type Guard } from "./guard.ts";
import { Heart } from "./heart.ts";
import { HttpSession } from "./http-session.ts";
import type { HttpLimits } from "./limits.ts";
import { parseAccept, quote } from "./media-type.ts";
import { readMessage } from "./read-message.ts";
import { refuse, sendRefusal, type Refusal } from "./refusal.ts";
import { failed, noBatches, noReplies, stopping, tooLarge } from "./refusals.ts";
import { Sessions } from "./sessions.ts";
import { answerStateless, refuseListener } from "./stateless-post.ts";

export interface EndpointOptions {
  readonly application: HttpApplication;
  /** Where the endpoint is; `undefined` where a framework's router has seen to that. */
  readonly path: string | undefined;
  readonly limits: HttpLimits;
  readonly guard: Guard;
  readonly authenticator: Authenticator | undefined;
}

export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #door: Doorway;
  readonly #heart: Heart;
  readonly #sessions: Sessions;
  #inFlight = 0;
  #isClosing = false;
  #onIdle: (() => void) | undefined;

  constructor(options: EndpointOptions) {
    const { application, limits } = options;
    const now = (): number => performance.now();
    const heart = new Heart(Math.min(limits.keepAliveMs, limits.sessionIdleMs));
    this.#options = options;
    this.#heart = heart;
    this.#door = {
      application,
      limits,
      heart,
      now,
      streams: new EventStreams(limits, heart),
      running: new Set(),
    };
    this.#sessions = new Sessions(limits, heart, now);
  }

  /** Answers one request. Never throws: what goes wrong here is told as such, and ends nothing but this request. */
  handle(exchange: Exchange): void {
    this.#protect(exchange, () => this.#handle(exchange));
  }

  #handle(exchange: Exchange): void {
    const { guard, path } = this.#options;
    const origin = exchange.header("origin");
    const host = exchange.header("host");
    const refusal = guard(host, origin) ?? checkAuthority(exchange.authority, host);
    if (refusal !== undefined) return sendRefusal(exchange, refusal, []);
    const cors = corsHeaders(origin);
    if (path !== undefined && exchange.path !== path)
      return answerOtherPath(exchange, path, cors, this.#options.authenticator);
    if (this.#isClosing) return sendRefusal(exchange, stopping, cors);
    switch (exchange.method) {
      case "POST":
        return this.#admit(exchange, cors, (principal) => this.#post(exchange, cors, principal));
      case "GET":
        return this.#admit(exchange, cors, (principal) => this.#get(exchange, cors, principal));
      case "DELETE":
        return this.#admit(exchange, cors, (principal) => this.#delete(exchange, cors, principal));
      case "OPTIONS":
        return answerPreflight(exchange, origin);
      default: {
        const message = `The method is ${quote(exchange.method)}, expected one of ${allowedMethods}`;
        return sendRefusal(exchange, refuse(405, message, ["allow", allowedMethods]), cors);
      }
    }
  }

  /** Refuses what comes from now on, and lets what runs finish, each call within the server's own limit. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const calls = [...this.#door.running].map((call) => call.close());
    await Promise.all([this.#sessions.close(), ...calls]);
    if (this.#inFlight > 0) await this.#becomeIdle();
    this.#heart.stop();
  }

  /** Waits a little for what is still on its way: bodies that have not come, replies that have not left. */
  #becomeIdle(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lastWordsMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Asks who calls, where that is asked for. */
  #admit(
    exchange: Exchange,
    cors: HeaderList,
    then: (principal: Principal | undefined) => void,
  ): void {
    const { authenticator } = this.#options;
    if (authenticator === undefined) return then(undefined);
    const verdict = authenticator.authenticate(exchange.header("authorization"));
    if (!(verdict instanceof Promise)) {
      if ("principal" in verdict) return then(verdict.principal);
      return sendRefusal(exchange, verdict.refusal, cors);
    }
    verdict.then(
      (late) => {
        if ("refusal" in late) return sendRefusal(exchange, late.refusal, cors);
        this.#protect(exchange, () => then(late.principal));
      },
      (thrown: unknown) => this.#fail(exchange, thrown),
    );
  }

  #post(exchange: Exchange, cors: HeaderList, principal: Principal | undefined): void {
    const { limits } = this.#options;
    const refusal = checkPost(exchange, limits, this.#inFlight);
    if (refusal !== undefined) return sendRefusal(exchange, refusal, cors);
    const wants = parseAccept(exchange.header("accept"));
    const done = this.#enter();
    const visit: Visit = { exchange, wants, cors, principal, done };
    const read = (body: Body): void =>
      this.#protect(exchange, () => this.#receive(visit, body), done);
    this.#protect(exchange, () => exchange.readBody(limits.maxBodyBytes, read), done);
  }

  #receive(visit: Visit, body: Body): void {
    if (body === "cut off") return visit.done();
    if (body === "too large") return this.#refuse(visit, tooLarge(this.#options.limits));
    const reading = readMessage(body);
    if ("arrival" in reading) return this.#route(visit, reading.arrival);
    const { refusal, fault } = reading;
    if (fault?.from === "reply") {
      const found = findSession(this.#sessions, visit);
      if ("session" in found) found.session.settle(fault);
    }
    this.#refuse(visit, refusal, fault);
  }

  #protect(exchange: Exchange, act: () => void, done?: () => void): void {
    try {
      act();
    } catch (thrown) {
      this.#fail(exchange, thrown);
      done?.();
    }
  }

  #fail(exchange: Exchange, thrown: unknown): void {
    this.#options.application.report(`a request could not be answered: ${describeThrown(thrown)}`);
    sendRefusal(exchange, failed, []);
  }

  /** Finds the era: by the version in `_meta` or in the header, by `initialize`, or by the session's id. */
  #route(visit: Visit, arrival: Exclude<Arrival, Fault>): void {
    const { exchange, principal } = visit;
    if (this.#isClosing) return this.#refuse(visit, stopping, arrival);
    const scopeRefusal = checkScopes(this.#options.authenticator, arrival, principal);
    if (scopeRefusal !== undefined) return this.#refuse(visit, scopeRefusal, arrival);
    const header = exchange.header("mcp-protocol-version");
    const isCall = arrival.kind === "request" || arrival.kind === "notification";
    const version = isCall ? protocolVersionOf(arrival.params) : undefined;
    if (version === undefined && arrival.kind === "request" && arrival.method === "initialize")
      return this.#initialize(visit, arrival);
    if (version !== undefined || findRevision(header)?.era === "stateless")
      return this.#answerStateless(visit, arrival);
    const found = findSession(this.#sessions, visit);
    if ("refusal" in found) return this.#refuse(visit, found.refusal, arrival);
    const { session } = found;
    if (arrival.kind === "batch" && session.revision?.batches !== true)
      return this.#refuse(visit, noBatches);
    session.receive(visit, arrival);
  }

  #answerStateless(visit: Visit, arrival: Exclude<Arrival, Fault>): void {
    const { exchange, cors } = visit;
    const { application } = this.#options;
    switch (arrival.kind) {
      case "batch":
        return this.#refuse(visit, noBatches);
      case "result":
      case "error":
        return this.#refuse(visit, noReplies);
      case "notification": // nothing in this revision needs one: closing the connection is what cancels
        exchange.respond(202, cors);
        return visit.done();
      case "request": {
        const refusal = checkStateless(exchange, arrival, (tool) =>
          application.findInputSchema(tool),
        );
        if (refusal !== undefined) return this.#refuse(visit, refusal, arrival);
        if (refuseListener(this.#door, visit, arrival)) return;
        return answerStateless(this.#door, visit, arrival);
      }
    }
  }

  /** Opens a session, if there is room and the receiver agrees. */
  #initialize(visit: Visit, request: RequestMessage): void {
    const { limits } = this.#options;
    const id = visit.exchange.header("mcp-session-id");
    if (id !== undefined) {
      const found = findSession(this.#sessions, visit);
      const isOpen = refuse(400, "The session is open already, expected initialize without its id");
      return this.#refuse(visit, "refusal" in found ? found.refusal : isOpen, request);
    }
    if (!this.#sessions.makeRoom()) {
      const message = `${limits.maxSessions} sessions are open, the most this server takes at once`;
      const refusal = refuse(503, message, ["retry-after", "60"]);
      return this.#refuse(visit, { ...refusal, code: ErrorCode.InternalError }, request);
    }
    const session = new HttpSession(this.#door, visit.principal);
    session.answer(visit, request, (reply) => {
      if (reply.kind !== "result") {
        void session.close("at once");
        return [];
      }
      session.revision = findRevision(reply.result["protocolVersion"]);
      this.#sessions.add(session);
      return ["mcp-session-id", session.id];
    });
  }

  #get(exchange: Exchange, cors: HeaderList, principal: Principal | undefined): void {
    const accept = exchange.header("accept");
    const found = findOwnSession(this.#sessions, { exchange, principal });
    if ("refusal" in found) return sendRefusal(exchange, found.refusal, cors);
    const wants = parseAccept(accept);
    if (!wants.events) {
      const message = `Accept is ${quote(accept ?? "")}, expected text/event-stream`;
      return sendRefusal(exchange, refuse(406, message), cors);
    }
    const visit: Visit = { exchange, wants, cors, principal, done: () => {} };
    const refusal = found.session.listen(visit, exchange.header("last-event-id"));
    if (refusal !== undefined) sendRefusal(exchange, refusal, cors);
  }

  #delete(exchange: Exchange, cors: HeaderList, principal: Principal | undefined): void {
    const found = findOwnSession(this.#sessions, { exchange, principal });
    if ("refusal" in found) return sendRefusal(exchange, found.refusal, cors);
    this.#sessions.end(found.session);
    exchange.respond(204, cors);
  }

  /** Sends a refusal as the whole answer to a POST, with the request's id where it has one. */
  #refuse({ exchange, cors, done }: Visit, refusal: Refusal, about?: Arrival): void {
    const isRequest =
      about?.kind === "request" || (about?.kind === "fault" && about.from === "request");
    sendRefusal(exchange, refusal, cors, isRequest ? about.id : undefined);
    done();
  }

  /** Takes a place among the requests in flight, and gives how to leave it: a failure may come after an answer that left it. */
  #enter(): () => void {
    let isIn = true;
    this.#inFlight++;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#inFlight--;
      if (this.#inFlight === 0) this.#onIdle?.();
    };
  }
}

/** How long an endpoint that closes waits for bodies that are still coming. */
const lastWordsMs = 1000;
