/** Serves one transport: everything that arrives, until the peer closes. */

import type { Transport } from "../transport/index.ts";
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
