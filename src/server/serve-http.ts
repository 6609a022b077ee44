/** Puts a server behind HTTP: on a port of its own, or as a handler inside another framework. */

import { UsageError } from "../protocol/index.ts";
import {
  loadHttp,
  type GuardOptions,
  type HttpApplication,
  type HttpLimits,
  type ResourceServerOptions,
  type TokenSource,
} from "../transport/index.ts";
import type { Server } from "./server.ts";

export interface HttpOptions extends GuardOptions {
  /** The longest body of a request; the same as `limits.maxBodyBytes`. Default: 4 MiB. */
  readonly maxBodyBytes?: number;
  readonly limits?: Partial<HttpLimits>;
  /** Lets in whoever has one of these bearer tokens. */
  readonly tokens?: TokenSource;
  /** Lets in whoever has an access token of an OAuth authorization server. */
  readonly auth?: ResourceServerOptions;
}

export interface ServeHttpOptions extends HttpOptions {
  /** The address to listen on; default: 127.0.0.1, which only this machine can reach. */
  readonly host?: string;
  /** Default: 0, any that is free. */
  readonly port?: number;
  /** Default: `/mcp`. */
  readonly path?: string;
}

export interface HttpHandlerOptions extends HttpOptions {
  /** Answers only at this path; default: at every path that the framework hands over. */
  readonly path?: string;
}

/** A server on a port. */
export interface HttpService extends AsyncDisposable {
  /** Where clients connect to. */
  readonly url: string;
  /** Refuses what is new, lets running calls finish, each at most `drainMs`, and closes the port. */
  close(): Promise<void>;
}

/** A handler that has been made for one framework or another. */
export interface HttpHandler<Handle> extends AsyncDisposable {
  readonly handle: Handle;
  /** As for a service: refuses what is new, and lets running calls finish. */
  close(): Promise<void>;
}

/** Takes a request of `node:http` and its answer, which Express and Fastify have as well. */
export type NodeHandle = (
  request: import("node:http").IncomingMessage,
  response: import("node:http").ServerResponse,
) => void;

/** Takes a `Request` of the web and gives the `Response`: for Hono, Bun, Deno and serverless functions. */
export type FetchHandle = (request: Request) => Promise<Response>;

export async function serveHttp(
  server: Server,
  options: ServeHttpOptions = {},
): Promise<HttpService> {
  const { host = "127.0.0.1", port = 0, path = "/mcp" } = options;
  checkPath(path);
  const { listen } = await loadHttp();
  const limits = await completeOptions(options);
  const listening = await listen({
    host,
    port,
    limits,
    createEndpoint: (place) => createEndpoint(server, options, path, formatUrl(place, path)),
  });
  const close = once(() => listening.close());
  return { url: formatUrl(listening, path), close, [Symbol.asyncDispose]: close };
}

/** Makes a handler for the web's `Request` and `Response`. */
export async function createFetchHandler(
  server: Server,
  options: HttpHandlerOptions = {},
): Promise<HttpHandler<FetchHandle>> {
  const { FetchExchange } = await loadHttp();
  const endpoint = await createEndpoint(server, options, options.path, undefined);
  const handle: FetchHandle = (request) => {
    const exchange = new FetchExchange(request);
    endpoint.handle(exchange);
    return exchange.response;
  };
  const close = once(() => endpoint.close());
  return { handle, close, [Symbol.asyncDispose]: close };
}

/** Makes a handler for the requests of `node:http`, bare or inside a framework. */
export async function createNodeHandler(
  server: Server,
  options: HttpHandlerOptions = {},
): Promise<HttpHandler<NodeHandle>> {
  const { NodeExchange } = await loadHttp();
  const { stallTimeoutMs } = await completeOptions(options);
  const endpoint = await createEndpoint(server, options, options.path, undefined);
  const handle: NodeHandle = (request, response) =>
    endpoint.handle(new NodeExchange(request, response, { stallTimeoutMs }));
  const close = once(() => endpoint.close());
  return { handle, close, [Symbol.asyncDispose]: close };
}

async function createEndpoint(
  server: Server,
  options: HttpOptions,
  path: string | undefined,
  url: string | undefined,
) {
  const { createGuard, createResourceServer, createTokenList, Endpoint } = await loadHttp();
  const { report } = server.catalogue;
  const { tokens, auth } = options;
  await checkTools(server);
  if (tokens !== undefined && auth !== undefined)
    throw new UsageError("invalid-auth", "Cannot take both tokens and auth: expected one of them");
  const resource = auth?.resource ?? url;
  if (auth !== undefined && resource === undefined) {
    const hint = `auth: { resource: "https://mcp.example.com/mcp", … }`;
    throw new UsageError("invalid-auth", "Cannot use auth: its resource is missing", { hint });
  }
  const authenticator =
    tokens !== undefined
      ? createTokenList(tokens)
      : auth !== undefined && resource !== undefined
        ? await createResourceServer(auth, resource, report)
        : undefined;
  return new Endpoint({
    application: createApplication(server),
    path,
    limits: await completeOptions(options),
    guard: createGuard(options),
    authenticator,
  });
}

function createApplication(server: Server): HttpApplication {
  return {
    open: (outlet, { principal }) => {
      const session = server.openSession(outlet, principal?.id);
      return {
        receive: (arrival, replies) => session.receive(arrival, replies),
        cancelAll: (reason) => session.cancelAll(reason),
        whenIdle: () => session.whenIdle(),
        close: () => server.closeSession(session),
      };
    },
    findInputSchema: (tool) => server.catalogue.tools.get(tool)?.tool.inputSchema,
    report: server.catalogue.report,
  };
}

/** Throws a `UsageError` for a tool that clients must leave out over HTTP. */
async function checkTools(server: Server): Promise<void> {
  const { listHeaderParameters } = await loadHttp();
  for (const { tool } of server.catalogue.tools.values()) {
    const listed = listHeaderParameters(tool.inputSchema);
    if ("parameters" in listed) continue;
    const what = `Cannot serve the tool "${tool.name}" over HTTP: ${listed.issue}`;
    throw new UsageError("invalid-schema", what);
  }
}

async function completeOptions({ limits = {}, maxBodyBytes }: HttpOptions): Promise<HttpLimits> {
  const { completeLimits } = await loadHttp();
  return completeLimits(maxBodyBytes === undefined ? limits : { ...limits, maxBodyBytes });
}

function checkPath(path: string): void {
  if (/^\/[!$&'()*+,./0-9:;=@A-Z_a-z~-]*$/.test(path)) return;
  const what = `Cannot serve at ${JSON.stringify(path)}: it is no path, expected one that begins with /`;
  throw new UsageError("invalid-path", what, { hint: `path: "/mcp"` });
}

/** Writes where to connect to; an address that stands for all of a machine's is reached at its own. */
function formatUrl({ host, port }: { host: string; port: number }, path: string): string {
  const name = host === "0.0.0.0" || host === "::" || host === "" ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}${path}`;
}

function once(act: () => Promise<void>): () => Promise<void> {
  let acting: Promise<void> | undefined;
  return () => (acting ??= act());
}
