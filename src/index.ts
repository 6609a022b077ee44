/** Genkan: the front door between AI agents and your own systems. */

import type { Client, ConnectOptions, ConnectTarget, TokenStore } from "./client/index.ts";
import { UsageError } from "./protocol/index.ts";
import { serve, type Server } from "./server/index.ts";
import { createMemoryPair } from "./transport/index.ts";

export { ClientError, ServerError } from "./client/client-error.ts";
export { UsageError, WireError } from "./protocol/index.ts";
export {
  AskError,
  createFetchHandler,
  createNodeHandler,
  createServer,
  MissingCapabilityError,
  serve,
  Server,
  serveHttp,
  serveStdio,
  ToolError,
  ToolResult,
} from "./server/index.ts";
export type {
  Answer,
  AskOptions,
  Complete,
  Context,
  FetchHandle,
  HttpHandler,
  HttpHandlerOptions,
  HttpOptions,
  HttpService,
  Infer,
  Limits,
  NodeHandle,
  PromptArgumentDefinition,
  PromptDefinition,
  PromptValue,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ResourceValue,
  Schema,
  ServeHttpOptions,
  ServerOptions,
  StandardSchema,
  ToolDefinition,
} from "./server/index.ts";
export type {
  Auth,
  CallOptions,
  Client,
  ClientCredentialsAuth,
  ClientErrorCode,
  CloseReport,
  CommandTarget,
  ConnectOptions,
  ConnectTarget,
  HandlerContext,
  Handlers,
  Hint,
  InteractiveAuth,
  ListOptions,
  Progress,
  Report,
  StoredGrant,
  Subscription,
  SubscriptionEnd,
  TokenAuth,
  TokenStore,
  TransportTarget,
  UrlTarget,
} from "./client/index.ts";
export type {
  CacheHints,
  CallToolResult,
  Change,
  ClientCapabilities,
  Completion,
  CompletionReference,
  ContentBlock,
  CreateMessageParams,
  CreateMessageResult,
  ElicitParams,
  ElicitResult,
  Fault,
  GetPromptResult,
  Implementation,
  JsonObject,
  ListRootsResult,
  LoggingLevel,
  NotificationMessage,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Revision,
  ServerCapabilities,
  SubscriptionFilter,
  Tool,
} from "./protocol/index.ts";
export type {
  GuardOptions,
  HttpLimits,
  LineObserver,
  RawLine,
  ResourceServerOptions,
  StopTimes,
  TokenSource,
  Transport,
} from "./transport/index.ts";

// A host starts a server with whatever Node it has: one sentence at once, instead of a strange error later.
if (!("withResolvers" in Promise)) {
  throw new UsageError(
    "old-node",
    "Cannot use genkan: this Node is too old, expected 24.21 or newer",
  );
}

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

/**
 * Connects to a server of this same process: what is sent is encoded and read as over a pipe, so that a test of a server sees
 * what a client would. Closing the client ends the connection, not the server.
 */
export async function connectInMemory(
  server: Server,
  options: ConnectOptions = {},
): Promise<Client> {
  const [near, far] = await createMemoryPair();
  void serve(server, far);
  return connect({ transport: near }, options);
}

/** Keeps the tokens of `auth` in a file of mode 0600, by authorization server and resource. Throws for a file that others may read. */
export function createFileStore(path: string): TokenStore {
  let store: Promise<TokenStore> | undefined;
  const open = (): Promise<TokenStore> =>
    (store ??= import("./client/index.ts").then((client) => client.createFileStore(path)));
  return {
    get: async (issuer, resource) => (await open()).get(issuer, resource),
    set: async (grant) => (await open()).set(grant),
  };
}
