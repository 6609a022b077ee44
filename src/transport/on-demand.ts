/** Ways to other processes and ends, each read when it is first used: a server on stdio needs none of them. */

import type { ChildTransport, StartOptions } from "./child-process.ts";
import type { DocumentRequest, FetchedDocument } from "./http-client/fetch-document.ts";
import type {
  HttpClientOptions,
  HttpClientTransport,
} from "./http-client/http-client-transport.ts";
import type { LineReaderOptions } from "./line-reader.ts";
import type { LoopbackListener } from "./loopback-listener.ts";
import type { Transport } from "./transport.ts";

/**
 * Starts a command without a shell, in a process group of its own.
 *
 * Rejects with Node's own error when the command cannot be started.
 */
export async function startChild(options: StartOptions): Promise<ChildTransport> {
  const childProcess = await import("./child-process.ts");
  return childProcess.startChild(options);
}

/** Makes two ends of one pipe inside this process; what one end sends arrives at the other. */
export async function createMemoryPair(
  options: LineReaderOptions = {},
): Promise<readonly [Transport, Transport]> {
  const memory = await import("./memory.ts");
  return memory.createMemoryPair(options);
}

/** Opens the calling end of Streamable HTTP; nothing is sent before the first message. */
export async function openHttpClient(options: HttpClientOptions): Promise<HttpClientTransport> {
  const httpClient = await import("./http-client/http-client-transport.ts");
  return httpClient.HttpClientTransport.open(options);
}

/** Fetches one small document, or posts one small form. */
export async function fetchDocument(request: DocumentRequest): Promise<FetchedDocument> {
  const fetching = await import("./http-client/fetch-document.ts");
  return fetching.fetchDocument(request);
}

/** Listens on 127.0.0.1 for a browser that comes back. */
export async function openLoopbackListener(port: number): Promise<LoopbackListener> {
  const loopback = await import("./loopback-listener.ts");
  return loopback.openLoopbackListener(port);
}

/** Reads a JSON value that only its owner may read. */
export async function readSecretFile(path: string): Promise<unknown> {
  const secretFile = await import("./secret-file.ts");
  return secretFile.readSecretFile(path);
}

/** Writes a JSON value that only its owner may read. */
export async function writeSecretFile(path: string, value: unknown): Promise<void> {
  const secretFile = await import("./secret-file.ts");
  return secretFile.writeSecretFile(path, value);
}
