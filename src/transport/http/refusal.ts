/** An answer that says no: an HTTP status, and a JSON-RPC error for whoever reads only that. */

import { ErrorCode, type RequestId, type WireError } from "../../protocol/index.ts";
import type { Exchange, HeaderList } from "./exchange.ts";

export interface Refusal {
  readonly status: number;
  readonly code: number;
  /** What is, and what should be; fit for a stranger. */
  readonly message: string;
  readonly data?: unknown;
  readonly headers?: HeaderList;
}

/** Makes a refusal of the request as HTTP sees it, before or beside JSON-RPC. */
export function refuse(status: number, message: string, headers: HeaderList = []): Refusal {
  return { status, code: ErrorCode.InvalidRequest, message, headers };
}

/** Makes a refusal out of an error of the protocol. */
export function refuseBy({ code, message, data }: WireError, status = 400): Refusal {
  return { status, code, message, data };
}

/** Sends a refusal; the error has no id where none could be read. */
export function sendRefusal(
  exchange: Exchange,
  { status, code, message, data, headers = [] }: Refusal,
  cors: HeaderList,
  id?: RequestId,
): void {
  const error = data === undefined ? { code, message } : { code, message, data };
  const body = JSON.stringify({ jsonrpc: "2.0", id, error });
  exchange.respond(status, ["content-type", "application/json", ...headers, ...cors], body);
}
