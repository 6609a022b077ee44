/** Serves a transport, or this process's standard streams. */

import {
  openStdio,
  within,
  type LineReaderOptions,
  type Stdio,
  type Transport,
} from "../transport/index.ts";
import type { Server } from "./server.ts";

/**
 * Resolves when the peer has closed and its running calls have been answered, or cancelled at the limit. A peer that leaves
 * what it was sent unread for `stallTimeoutMs` is taken for gone.
 */
export async function serve(server: Server, transport: Transport): Promise<void> {
  const session = server.openSession(transport);
  for await (const arrivals of transport.incoming) {
    for (const arrival of arrivals) session.receive(arrival);
    const drained = transport.drained();
    if (drained !== undefined && (await isStalled(server, drained))) break;
  }
  await server.closeSession(session);
}

async function isStalled({ catalogue }: Server, drained: Promise<void>): Promise<boolean> {
  const { report, limits } = catalogue;
  const isTaken = await within(
    drained.then(() => true),
    limits.stallTimeoutMs,
  );
  if (isTaken === true) return false;
  report(`the client has not read what it was sent for ${limits.stallTimeoutMs} ms, so it is left`);
  return true;
}

/**
 * Serves a server over stdin and stdout until stdin ends or the process is told to end, then disposes of the server and
 * exits with code 0. From the call on, stdout belongs to the protocol: what else is printed goes to stderr.
 */
export async function serveStdio(server: Server, options: LineReaderOptions = {}): Promise<void> {
  const { drainMs } = server.catalogue.limits;
  const stdio = openStdio(options);
  try {
    await serveUntilEnd(server, stdio);
  } finally {
    await stdio.exit(drainMs);
  }
}

/** Serves over standard streams that are taken already until stdin ends or the process is told to end, then disposes of the server. */
export async function serveUntilEnd(server: Server, stdio: Stdio): Promise<void> {
  try {
    // A peer may close its end and never read ours: twice the time for running calls is then enough for everything.
    const overdue = stdio.overdue(2 * server.catalogue.limits.drainMs);
    await Promise.race([serve(server, stdio.transport), stdio.terminated, overdue]);
  } finally {
    await server[Symbol.asyncDispose]();
  }
}
