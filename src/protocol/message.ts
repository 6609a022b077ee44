/** The four kinds of JSON-RPC message, decoded from and encoded to the text of one line. */

import { createFault, type Fault } from "./fault.ts";
import type {
  ErrorMessage,
  Message,
  NotificationMessage,
  Outgoing,
  RequestId,
  RequestMessage,
  ResultMessage,
} from "./json-rpc.ts";
import { describeValue, isObject, type JsonObject } from "./json.ts";

/** Is true for an id this protocol allows: a string, or an integer that a double holds exactly. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Encodes what leaves as the text of one line, without its newline. Throws what `JSON.stringify` throws. */
export function encodeMessage(message: Outgoing): string {
  switch (message.kind) {
    case "result":
      return JSON.stringify({ jsonrpc: "2.0", id: message.id, result: message.result });
    case "request":
      return JSON.stringify({
        jsonrpc: "2.0",
        id: message.id,
        method: message.method,
        params: message.params,
      });
    case "notification":
      return JSON.stringify({ jsonrpc: "2.0", method: message.method, params: message.params });
    case "error":
      return JSON.stringify({ jsonrpc: "2.0", id: message.id, error: message.error });
    case "batch":
      return `[${message.items.map(encodeMessage).join(",")}]`;
  }
}

/**
 * Reads a parsed JSON value as one message, or as the fault that says why it is none.
 *
 * `"id" in message` decides between request and notification, so `id: null` is a faulty request and never a notification
 * (MCP: "the ID MUST NOT be null").
 */
export function parseMessage(value: unknown): Message | Fault {
  if (!isObject(value)) return notAnObject(value);
  if (value["jsonrpc"] !== "2.0") {
    return invalid(value, `"jsonrpc" is ${describeValue(value["jsonrpc"])}, expected "2.0"`);
  }
  if ("method" in value) return parseCall(value);
  if ("result" in value || "error" in value) return parseReply(value);
  return invalid(value, `there is no "method", "result" or "error"`);
}

function parseCall(value: JsonObject): RequestMessage | NotificationMessage | Fault {
  const { id, method, params } = value;
  if (typeof method !== "string")
    return invalid(value, `"method" is ${describeValue(method)}, expected a string`);
  if ("result" in value || "error" in value)
    return invalid(value, `a "method" and a reply's members stand in one message`);
  if (params !== undefined && !isObject(params)) {
    return invalid(value, `"params" is ${describeValue(params)}, expected an object`);
  }
  if (!("id" in value)) return { kind: "notification", method, params };
  if (!isRequestId(id)) return invalid(value, describeBadId(id));
  return { kind: "request", id, method, params };
}

function parseReply(value: JsonObject): ResultMessage | ErrorMessage | Fault {
  const { id, result, error } = value;
  if ("result" in value && "error" in value)
    return invalid(value, `both "result" and "error" are there, expected one`);
  if ("result" in value) {
    if (!isRequestId(id)) return invalid(value, describeBadId(id));
    if (!isObject(result))
      return invalid(value, `"result" is ${describeValue(result)}, expected an object`);
    return { kind: "result", id, result };
  }
  if (id !== undefined && id !== null && !isRequestId(id)) return invalid(value, describeBadId(id));
  if (!isObject(error))
    return invalid(value, `"error" is ${describeValue(error)}, expected an object`);
  const { code, message, data } = error;
  if (!Number.isInteger(code) || typeof code !== "number") {
    return invalid(value, `the error's "code" is ${describeValue(code)}, expected an integer`);
  }
  if (typeof message !== "string") {
    return invalid(value, `the error's "message" is ${describeValue(message)}, expected a string`);
  }
  return {
    kind: "error",
    id,
    error: data === undefined ? { code, message } : { code, message, data },
  };
}

function notAnObject(value: unknown): Fault {
  const name =
    value === null ? "null-message" : Array.isArray(value) ? "array-message" : "scalar-message";
  return createFault(name, `it is ${describeValue(value)}, expected a JSON-RPC object`);
}

function invalid(value: JsonObject, detail: string): Fault {
  const { id, method } = value;
  const isReply = !("method" in value) && ("result" in value || "error" in value);
  const isNotification = typeof method === "string" && !("id" in value);
  const from = isReply ? "reply" : isNotification ? "notification" : "request";
  return createFault("invalid-message", detail, {
    from,
    id: isEchoable(id) ? id : undefined,
    value,
  });
}

/** A number that JSON carried without loss may go back as it came, also where MCP does not allow it as an id. */
function isEchoable(id: unknown): id is RequestId {
  return isRequestId(id) || (typeof id === "number" && Math.abs(id) < Number.MAX_SAFE_INTEGER);
}

function describeBadId(id: unknown): string {
  if (typeof id !== "number")
    return `"id" is ${describeValue(id)}, expected a string or an integer`;
  if (Number.isInteger(id) || !Number.isFinite(id))
    return `"id" is a number beyond 2^53-1, which JSON readers alter; send it as a string`;
  return `"id" is the fraction ${id}, expected a string or an integer`;
}
