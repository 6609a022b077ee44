/** Serves a transport, or this process's standard streams. */

import { openStdio, type LineReaderOptions, type Transport } from "../transport/index.ts";
import type { Server } from "./server.ts";

/** Resolves when the peer has closed and its running calls have been answered, or cancelled at the limit. */
export async function serve(server: Server, transport: Transport): Promise<void> {
  const session = server.openSession(transport);
  for await (const arrivals of transport.incoming) {
    for (const arrival of arrivals) session.receive(arrival);
    const drained = transport.drained();
    if (drained !== undefined) await drained;
  }
  await server.closeSession(session);
}

/**
 * Serves a server over stdin and stdout until stdin ends or the process is told to end, then disposes of the server and
 * exits with code 0. From the call on, stdout belongs to the protocol: what else is printed goes to stderr.
 */
export async function serveStdio(server: Server, options: LineReaderOptions = {}): Promise<void> {
  const { drainMs } = server.catalogue.limits;
  const stdio = openStdio(options);
  try {
    // A peer may close its end and never read ours: twice the time for running calls is then enough for everything.
    const overdue = stdio.overdue(2 * drainMs);
    await Promise.race([serve(server, stdio.transport), stdio.terminated, overdue]);
  } finally {
    try {
      await server[Symbol.asyncDispose]();
    } finally {
      await stdio.exit(drainMs);
    }
  }
}
