/** What the application answers to a server's questions, and how one question finds its handler. */

import {
  describeValue,
  ErrorCode,
  isObject,
  WireError,
  type ClientCapabilities,
  type CreateMessageParams,
  type CreateMessageResult,
  type ElicitParams,
  type ElicitResult,
  type JsonObject,
  type ListRootsResult,
} from "../protocol/index.ts";

export interface HandlerContext {
  /** Aborted when the server, or the call on whose behalf it asks, gives the question up. */
  readonly signal: AbortSignal;
}

/** Each handler given is a capability declared. A thrown `WireError` goes to the server as it is, anything else stays here. */
export interface Handlers {
  /** Asks the person behind the client, by a form or on a page. */
  readonly elicit?: (
    params: ElicitParams,
    context: HandlerContext,
  ) => ElicitResult | Promise<ElicitResult>;
  /** Asks the application's model. */
  readonly sample?: (
    params: CreateMessageParams,
    context: HandlerContext,
  ) => CreateMessageResult | Promise<CreateMessageResult>;
  /** Names the directories the server may work in. */
  readonly listRoots?: (context: HandlerContext) => ListRootsResult | Promise<ListRootsResult>;
}

/** Gives the capabilities that the handlers amount to. */
export function capabilitiesOf({ elicit, sample, listRoots }: Handlers): ClientCapabilities {
  return {
    ...(elicit === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    ...(sample === undefined ? {} : { sampling: {} }),
    ...(listRoots === undefined ? {} : { roots: {} }),
  };
}

/** Starts the handler of a question; `undefined` where none was given or no such question exists. Throws a `WireError` for bad parameters. */
export function startHandler(
  handlers: Handlers,
  method: string,
  params: JsonObject | undefined,
  context: HandlerContext,
): Promise<object> | undefined {
  switch (method) {
    case "elicitation/create": {
      if (handlers.elicit === undefined) return undefined;
      if (!isElicitParams(params))
        throw badParams(method, params, `"message", and "requestedSchema" or "url"`);
      return Promise.resolve(handlers.elicit(params, context));
    }
    case "sampling/createMessage": {
      if (handlers.sample === undefined) return undefined;
      if (!isCreateMessageParams(params))
        throw badParams(method, params, `"messages" and "maxTokens"`);
      return Promise.resolve(handlers.sample(params, context));
    }
    case "roots/list":
      return handlers.listRoots === undefined
        ? undefined
        : Promise.resolve(handlers.listRoots(context));
  }
  return undefined;
}

/** Names the handler that answers a method. */
export function nameOfHandler(method: string): keyof Handlers | undefined {
  if (method === "elicitation/create") return "elicit";
  if (method === "sampling/createMessage") return "sample";
  return method === "roots/list" ? "listRoots" : undefined;
}

function isElicitParams(params: JsonObject | undefined): params is JsonObject & ElicitParams {
  if (typeof params?.["message"] !== "string") return false;
  const { mode = "form", requestedSchema, url } = params;
  if (mode === "url") return typeof url === "string";
  return mode === "form" && isObject(requestedSchema) && isObject(requestedSchema["properties"]);
}

function isCreateMessageParams(
  params: JsonObject | undefined,
): params is JsonObject & CreateMessageParams {
  return Array.isArray(params?.["messages"]) && typeof params["maxTokens"] === "number";
}

function badParams(method: string, params: JsonObject | undefined, expected: string): WireError {
  const is =
    params === undefined
      ? describeValue(params)
      : `an object with ${Object.keys(params).join(", ")}`;
  return new WireError(
    ErrorCode.InvalidParams,
    `The parameters of ${method} are ${is}, expected ${expected}`,
  );
}
