/** The shapes of JSON-RPC messages, decoded. */

import type { JsonObject } from "./json.ts";

/** `0` and `""` are ids, and `1` and `"1"` are two. */
export type RequestId = string | number;

export interface RequestMessage {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject | undefined;
  /** How many bytes its line had; absent for a line too short to be counted, and where nobody has counted. */
  readonly bytes?: number;
}

export interface NotificationMessage {
  readonly kind: "notification";
  readonly method: string;
  readonly params: JsonObject | undefined;
}

export interface ResultMessage {
  readonly kind: "result";
  readonly id: RequestId;
  readonly result: JsonObject;
}

export interface ErrorMessage {
  readonly kind: "error";
  /** The request's id; `null` (JSON-RPC 2.0) or absent (MCP since 2025-11-25) when it could not be read. */
  readonly id: RequestId | null | undefined;
  readonly error: ErrorBody;
}

export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type Message = RequestMessage | NotificationMessage | ResultMessage | ErrorMessage;

/** What leaves on one line: a message, or in 2025-03-26 the replies to a batch. */
export type Outgoing = Message | { readonly kind: "batch"; readonly items: readonly Message[] };
