/** Ways to other processes and ends, each read when it is first used: a server on stdio needs none of them. */

import type { ChildTransport, StartOptions } from "./child-process.ts";
import type { HttpClientOptions, HttpClientTransport } from "./http-client/http-client-transport.ts";
import type { LineReaderOptions } from "./line-reader.ts";
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
