/** Asks the scout, which is started when it is needed and ended when it has not been for a while. */

import { DatabaseRefusal } from "../file/refusals.ts";
import { QueryError } from "../query-error.ts";
import type { Found, ScoutReply, ScoutRequest } from "../scout/request.ts";
import type { Answerer } from "./answerer.ts";

export type ScoutProcess = Answerer<ScoutRequest, ScoutReply>;

/** Stops a process from standing about that a quiet database needs no more. */
const idleMs = 10_000;
/** How much longer than its budget a look may take: for what comes before and after the copying. */
const graceMs = 2_000;

export class Scout {
  readonly #start: () => ScoutProcess;
  #process: ScoutProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(start: () => ScoutProcess) {
    this.#start = start;
  }

  /** One look at a time. Throws a `DatabaseRefusal` or a `QueryError`. */
  async look(request: ScoutRequest): Promise<Found> {
    clearTimeout(this.#idle);
    if (this.#process?.isUsable !== true) this.#process = this.#start();
    const deadlineMs = request.budgetMs + graceMs;
    try {
      return read(await this.#process.ask(request, { deadlineMs, signal: undefined }));
    } catch (thrown) {
      throw toBusy(thrown);
    } finally {
      this.#idle = setTimeout(() => {
        this.#process?.kill();
      }, idleMs).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#process?.kill();
    await this.#process?.exited;
  }
}

function read(reply: ScoutReply): Found {
  switch (reply.kind) {
    case "found":
      return reply;
    case "refused": {
      const { reason, path, ...options } = reply.refusal;
      throw new DatabaseRefusal(reason, path, options);
    }
    case "failed": {
      const { kind, message, ...options } = reply.failure;
      throw new QueryError(kind, message, options);
    }
    case "ready":
      throw new Error("A scout is ready once");
  }
}

/** Only a query is told of as a query. */
function toBusy(thrown: unknown): unknown {
  if (!(thrown instanceof QueryError) || thrown.kind !== "too-slow") return thrown;
  return new QueryError("busy", "The database could not be looked at in time", { cause: thrown });
}
