/** Serves this process's standard streams, and ends the process when the client has gone. */

import { openStdio, type LineReaderOptions } from "../transport/index.ts";
import { serve } from "./serve.ts";
import type { Server } from "./server.ts";

/**
 * Serves a server over stdin and stdout until stdin ends or the process is told to end, then disposes of the server and
 * exits with code 0. From the call on, stdout belongs to the protocol: what else is printed goes to stderr.
 */
export async function serveStdio(server: Server, options: LineReaderOptions = {}): Promise<void> {
  const { drainMs } = server.catalogue.limits;
  const stdio = openStdio(options);
  await Promise.race([serve(server, stdio.transport), stdio.terminated, stdio.overdue(2 * drainMs)]);
  await server[Symbol.asyncDispose]();
  await stdio.exit(drainMs);
}
