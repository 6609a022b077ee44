/** Genkan: the front door between AI agents and your own systems. */

import type { Client, ConnectOptions, ConnectTarget } from "./client/index.ts";

export { UsageError, WireError } from "./protocol/index.ts";
export {
  AskError,
  createServer,
  MissingCapabilityError,
  serve,
  Server,
  serveStdio,
  ToolError,
  ToolResult,
} from "./server/index.ts";
export type {
  Answer,
  AskOptions,
  Complete,
  Context,
  Infer,
  Limits,
  PromptArgumentDefinition,
  PromptDefinition,
  PromptValue,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ResourceValue,
  Schema,
  ServerOptions,
  StandardSchema,
  ToolDefinition,
} from "./server/index.ts";
export type {
  CallOptions,
  Change,
  Client,
  ClientError,
  CommandTarget,
  ConnectOptions,
  ConnectTarget,
  Handlers,
  ListOptions,
  Progress,
  Report,
  ServerError,
  Subscription,
  TransportTarget,
  WatchFilter,
} from "./client/index.ts";
export type {
  CacheHints,
  CallToolResult,
  ClientCapabilities,
  ContentBlock,
  CreateMessageParams,
  CreateMessageResult,
  ElicitParams,
  ElicitResult,
  GetPromptResult,
  Implementation,
  JsonObject,
  LoggingLevel,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  ServerCapabilities,
  Tool,
} from "./protocol/index.ts";
export type { StopReport, Transport } from "./transport/index.ts";

/**
 * Connects to a server, in whichever era it speaks.
 *
 * Rejects with a `ClientError` whose `code` says what went wrong. The client's code is loaded here: a program that only serves
 * never reads it.
 */
export async function connect(
  target: ConnectTarget,
  options: ConnectOptions = {},
): Promise<Client> {
  const client = await import("./client/index.ts");
  return client.connect(target, options);
}
