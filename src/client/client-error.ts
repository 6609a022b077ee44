/** What a call or a connection ends with when it does not succeed. */

import {
  isHttpFaultName,
  nameOfErrorCode,
  toPrintable,
  type ErrorBody,
  type Fault,
  type HttpFaultName,
} from "../protocol/index.ts";
import type { ExitStatus } from "../transport/index.ts";
import type { Hint } from "./hint.ts";

/** Every way in which connecting or calling fails; closed, and stable between versions. */
export type ClientErrorCode =
  /** The command could not be started. */
  | "not-launched"
  /** The process ended before it replied. */
  | "exited"
  /** The process runs and says nothing. */
  | "silent"
  /** The process runs, still writes, and has not replied in time. */
  | "slow"
  /** The process writes to stdout what is no message, and no reply. */
  | "polluted"
  /** No HTTP response came at all. */
  | "unreachable"
  /** The server answered 401 or 403, and could not be satisfied. */
  | "unauthorized"
  /** The HTTP response carries no reply: its status, its type or its end say why. */
  | "http"
  /** A call had no reply in time, or a handler gave no answer that it needs. */
  | "timeout"
  /** The caller's signal was aborted. */
  | "cancelled"
  /** The connection is closed, from this side or the other. */
  | "closed"
  /** The reply came and breaks the protocol. */
  | "protocol"
  /** The two sides speak no common revision. */
  | "version"
  /** A named limit of this client was reached. */
  | "limit"
  /** The server asks for input that no handler was given for. */
  | "no-handler"
  /** The server answered with a JSON-RPC error. */
  | "server-error";

/** A failure before it is known what was being done: `what` is the middle of the sentence. */
export interface Failure {
  readonly code: ClientErrorCode;
  /** What is, and what was expected. */
  readonly what: string;
  readonly hint?: Hint;
  /** How the process ended, where it has. */
  readonly exit?: ExitStatus;
  /** The last of what the process wrote on stderr, raw. */
  readonly stderrTail?: string;
  /** The fault in the line that spoilt a reply. */
  readonly fault?: Fault;
  /** The server's JSON-RPC error. */
  readonly body?: ErrorBody;
  readonly cause?: unknown;
}

export class ClientError extends Error {
  override readonly name: string = "ClientError";
  readonly code: ClientErrorCode;
  readonly hint: Hint | undefined;
  readonly exit: ExitStatus | undefined;
  readonly stderrTail: string | undefined;
  readonly fault: Fault | undefined;

  /** @param act what was being done, as in `Cannot call "tools/list"` */
  constructor(act: string, failure: Failure) {
    super(
      `${act}: ${failure.what}`,
      failure.cause === undefined ? undefined : { cause: failure.cause },
    );
    this.code = failure.code;
    this.hint = failure.hint;
    this.exit = failure.exit;
    this.stderrTail = failure.stderrTail;
    this.fault = failure.fault;
  }
}

/** The server's own JSON-RPC error, as it came. */
export class ServerError extends ClientError {
  override readonly name = "ServerError";
  readonly body: ErrorBody;

  constructor(act: string, failure: Failure, body: ErrorBody) {
    super(act, failure);
    this.body = body;
  }
}

/** Creates the error that a caller gets for a failure. */
export function createError(act: string, failure: Failure): ClientError {
  return failure.body === undefined
    ? new ClientError(act, failure)
    : new ServerError(act, failure, failure.body);
}

/** Puts a server's error into words. */
export function explainServerError(body: ErrorBody): Failure {
  const name = nameOfErrorCode(body.code);
  const code = name === undefined ? `${body.code}` : `${body.code} (${name})`;
  return {
    code: "server-error",
    what: `the server answered with the error ${code}: ${toPrintable(body.message, 500)}`,
    body,
  };
}

/** Says that the caller's own signal ended it. */
export function explainCancellation(signal: AbortSignal): Failure {
  return { code: "cancelled", what: "the caller cancelled it", cause: signal.reason };
}

/** Puts a fault that stands in the place of a reply into words. */
export function explainFault(fault: Fault): Failure {
  const { name, detail, trouble } = fault;
  if (!isHttpFaultName(name))
    return { code: "protocol", what: `its reply is faulty: ${toPrintable(detail, 300)}`, fault };
  const hint = trouble?.hint === undefined ? {} : { hint: { text: trouble.hint } };
  const cause = trouble?.cause === undefined ? {} : { cause: trouble.cause };
  return { code: codeOfTrouble(name), what: toPrintable(detail, 700), fault, ...hint, ...cause };
}

function codeOfTrouble(name: HttpFaultName): ClientErrorCode {
  if (name === "http-unreachable") return "unreachable";
  return name === "http-unauthorized" ? "unauthorized" : "http";
}

/** Makes an error fly through code that reads a result; `readResult` catches nothing else. */
export class ResultFailure extends Error {
  readonly failure: Failure;

  constructor(what: string) {
    super(what);
    this.failure = { code: "protocol", what };
  }
}
