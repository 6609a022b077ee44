/** Serves an endpoint over `node:http`: bounded connections, bounded waits, and a stop that lets calls finish. */

import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { isObject, UsageError } from "../../protocol/index.ts";
import type { Endpoint } from "./endpoint.ts";
import type { HttpLimits } from "./limits.ts";
import { NodeExchange } from "./node-exchange.ts";

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** Refuses new connections and requests, lets calls finish, then closes everything. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly limits: HttpLimits;
  /** Makes the endpoint once the port is known. */
  readonly createEndpoint: (place: {
    readonly host: string;
    readonly port: number;
  }) => Promise<Endpoint>;
}

/** Opens the port. Throws a `UsageError` when it cannot be had. */
export async function listen({
  host,
  port,
  limits,
  createEndpoint,
}: ListenOptions): Promise<Listening> {
  const { stallTimeoutMs } = limits;
  let endpoint: Endpoint | undefined;
  const handle =
    (expectsContinue: boolean) => (request: IncomingMessage, response: ServerResponse) =>
      endpoint?.handle(new NodeExchange(request, response, { expectsContinue, stallTimeoutMs }));

  const server = createServer(
    {
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: checkEvery(limits),
      joinDuplicateHeaders: true, // the first of two would win in silence
      requireHostHeader: false, // the guard says it in JSON
    },
    handle(false),
  );
  server.maxConnections = limits.maxConnections;
  server.on("checkContinue", handle(true));
  server.on("clientError", answerClientError);
  await open(server, host, port);
  const address = server.address();
  const place = {
    host,
    port: isObject(address) && typeof address["port"] === "number" ? address["port"] : port,
  };
  try {
    endpoint = await createEndpoint(place);
  } catch (thrown) {
    server.close();
    throw thrown;
  }
  const opened = endpoint;
  return {
    ...place,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await opened.close();
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), lastWordsMs);
      await closed;
      clearTimeout(late);
    },
  };
}

/** How long answers may take to leave after the last call has ended: a peer that never reads must not keep the process. */
const lastWordsMs = 1000;

function open(server: ReturnType<typeof createServer>, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const what = `Cannot listen on ${host}:${port}: ${"code" in cause ? String(cause.code) : cause.message}`;
      reject(
        new UsageError("cannot-listen", what, { cause, hint: "port 0 takes any that is free" }),
      );
    });
    server.listen({ host, port }, resolve);
  });
}

/** How often Node looks for requests that are overdue: often enough that a limit means what it says. */
function checkEvery({ headersTimeoutMs, requestTimeoutMs }: HttpLimits): number {
  return Math.min(1000, Math.ceil(Math.min(headersTimeoutMs, requestTimeoutMs) / 4));
}

/** Answers what Node's parser could not read, unless an answer is under way on the same connection. */
function answerClientError(error: Error, socket: Socket | import("node:stream").Duplex): void {
  const code = "code" in error ? error.code : undefined;
  const underWay: unknown = Reflect.get(socket, "_httpMessage");
  const hasBegun = isObject(underWay) && underWay["headersSent"] === true;
  if (!socket.writable || hasBegun || code === "ECONNRESET") return void socket.destroy();
  const [status, message] = describeClientError(code);
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32600, message } });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function describeClientError(code: unknown): readonly [status: number, message: string] {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return [431, "The head of the request is longer than this server takes"];
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return [413, "The extensions of a chunk are longer than this server takes"];
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return [408, "The request took longer to come than this server waits"];
    default:
      return [400, "The request is not HTTP as this server reads it"];
  }
}
