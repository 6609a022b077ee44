/** The serving side: tools, resources and prompts for clients of every revision. */

import type {
  FetchHandle,
  HttpHandler,
  HttpHandlerOptions,
  HttpService,
  NodeHandle,
  ServeHttpOptions,
} from "./serve-http.ts";
import type { JsonObject } from "../protocol/index.ts";
import type { Check } from "./argument-check.ts";
import type { Server } from "./server.ts";
import type { Schema } from "./tool-registry.ts";

export type { Check, Checked } from "./argument-check.ts";
export type { Limits } from "./limits.ts";
export type { Complete } from "./completer.ts";
export { AskError, MissingCapabilityError, ToolError } from "./author-error.ts";
export type { AskOptions, Context } from "./context.ts";
export type { Infer } from "./infer-schema.ts";
export type { PromptArgumentDefinition, PromptDefinition, PromptValue } from "./prompt-registry.ts";
export type {
  ResourceDefinition,
  ResourceTemplateDefinition,
  ResourceValue,
} from "./resource-registry.ts";
export { serve, serveStdio, serveUntilEnd } from "./serve.ts";
export { createServer, Server } from "./server.ts";
export type { ServerOptions } from "./server.ts";
export { Session } from "./session.ts";
export type { StandardSchema } from "./standard-schema.ts";
export { publishInput, publishOutput } from "./tool-registry.ts";
export type { Answer, GuardedTool, Schema, ToolDefinition } from "./tool-registry.ts";
export { ToolResult } from "./tool-result.ts";

/** Makes the check of values by a schema; `published` is the JSON Schema of it that clients see. */
export async function loadCheck<Value>(
  schema: Schema,
  published: JsonObject,
  side: "input" | "output",
): Promise<Check<Value>> {
  const checks = await import("./argument-check.ts");
  return checks.loadCheck(schema, published, side);
}

/**
 * Serves a server over HTTP on a port of its own, to clients of every revision at once.
 *
 * Rejects with a `UsageError` for options that cannot be, and for a port that cannot be had.
 */
export async function serveHttp(server: Server, options?: ServeHttpOptions): Promise<HttpService> {
  const http = await import("./serve-http.ts");
  return http.serveHttp(server, options);
}

/** Makes a handler that takes a `Request` and gives a `Response`: for Hono, Bun, Deno and serverless functions. */
export async function createFetchHandler(
  server: Server,
  options?: HttpHandlerOptions,
): Promise<HttpHandler<FetchHandle>> {
  const http = await import("./serve-http.ts");
  return http.createFetchHandler(server, options);
}

/** Makes a handler that takes a request and a response of `node:http`: for Express, Fastify, and a server of one's own. */
export async function createNodeHandler(
  server: Server,
  options?: HttpHandlerOptions,
): Promise<HttpHandler<NodeHandle>> {
  const http = await import("./serve-http.ts");
  return http.createNodeHandler(server, options);
}

export type {
  FetchHandle,
  HttpHandler,
  HttpHandlerOptions,
  HttpOptions,
  HttpService,
  NodeHandle,
  ServeHttpOptions,
} from "./serve-http.ts";
