/** Goes on with the stream of a reply that broke off, from the last event that had an id. */

import { carry } from "./carriage.ts";
import type { Carrier } from "./carrier.ts";
import { collectBody, maxErrorBytes, mediaTypeOf } from "./body.ts";
import type { Exchange, ResumePoint } from "./exchange.ts";
import { waitBeforeRetry } from "./listening.ts";

/** How often a stream is gone on with and brings nothing: then the reply is given up. */
export const maxIdleResumes = 10;

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery */
export function resumeStream(
  exchange: Exchange,
  { lastEventId, retryMs, hasMoved }: ResumePoint,
  carrier: Carrier,
  headers: () => Record<string, string>,
): void {
  exchange.idleResumes = hasMoved ? 0 : exchange.idleResumes + 1;
  if (exchange.idleResumes > maxIdleResumes) {
    const detail = `the event stream broke off maxIdleResumes (${maxIdleResumes}) times without anything new, expected the reply`;
    return exchange.fail({ name: "http-no-reply", detail });
  }
  const again = (): void =>
    resumeStream(exchange, { lastEventId, retryMs, hasMoved: false }, carrier, headers);
  const start = (): void => {
    if (exchange.isOver) return;
    exchange.adopt(
      carry(carrier, {
        method: "GET",
        headers: { ...headers(), accept: "text/event-stream", "last-event-id": lastEventId },
        isRepeatable: true,
        isLasting: true,
        onTrouble: again,
        onResponse: (response) => {
          const { statusCode = 0 } = response;
          if (statusCode < 300 && mediaTypeOf(response.headers) === "text/event-stream")
            return exchange.readStream(response, lastEventId);
          collectBody(response, maxErrorBytes, () => {
            const detail = `the event stream broke off before the reply, and GET with Last-Event-ID brought ${statusCode}, expected the rest of it`;
            exchange.fail({ name: "http-no-reply", detail, status: statusCode });
          });
        },
      }),
    );
  };
  setTimeout(start, waitBeforeRetry(retryMs)).unref();
}
