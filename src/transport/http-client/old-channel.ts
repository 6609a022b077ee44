/** The HTTP+SSE transport of 2024-11-05: one stream brings all messages, and names where to post those of this side. */

import type { IncomingMessage } from "node:http";
import type { Arrival, HttpTrouble } from "../../protocol/index.ts";
import { collectBody, maxErrorBytes, mediaTypeOf } from "./body.ts";
import { carry, type Carriage } from "./carriage.ts";
import type { Carrier } from "./carrier.ts";
import { readEventStream } from "./event-stream.ts";
import { explainStatus } from "./explain.ts";

export interface OldChannelParts {
  readonly carrier: Carrier;
  readonly maxBytes: number;
  readonly deliver: (arrivals: readonly Arrival[], data: string) => void;
  /** Called once, when the stream has ended after it was open. */
  readonly onEnd: () => void;
}

/** How long a server may take to say where to post. */
const endpointTimeoutMs = 5_000;

export class OldChannel {
  /** Where messages are posted. */
  readonly endpoint: URL;
  readonly #carriage: Carriage;

  /**
   * Opens the stream and waits for its first event; gives the reason where there is none.
   *
   * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
   */
  static open({
    carrier,
    maxBytes,
    deliver,
    onEnd,
  }: OldChannelParts): Promise<OldChannel | HttpTrouble> {
    const { promise, resolve } = Promise.withResolvers<OldChannel | HttpTrouble>();
    let isOpen = false;
    const settle = (outcome: OldChannel | HttpTrouble): void => {
      clearTimeout(timer);
      isOpen = outcome instanceof OldChannel;
      if (!isOpen) carriage.abort();
      resolve(outcome);
    };
    const read = (response: IncomingMessage): void => {
      readEventStream(response, maxBytes, {
        onArrivals: (arrivals, data) => {
          if (isOpen) deliver(arrivals, data);
          else settle(noEndpoint("its first event is a message"));
        },
        onOther: ({ type, data }) => {
          if (isOpen || type !== "endpoint") return;
          const endpoint = URL.parse(data, carrier.url.href);
          if (endpoint === null || endpoint.origin !== carrier.url.origin)
            return settle(noEndpoint("its endpoint is no URL of the same origin"));
          settle(new OldChannel(carriage, endpoint));
        },
        onEnd: () => {
          if (isOpen) onEnd();
          else settle(noEndpoint("it ended"));
        },
      });
    };
    const carriage = carry(carrier, {
      method: "GET",
      headers: { accept: "text/event-stream" },
      isRepeatable: true,
      isLasting: true,
      onTrouble: settle,
      onResponse: (response) => {
        const { statusCode = 0, statusMessage, headers } = response;
        if (statusCode < 300 && mediaTypeOf(headers) === "text/event-stream") return read(response);
        collectBody(response, maxErrorBytes, (body) => {
          const text = typeof body === "string" ? "" : body.toString();
          settle(explainStatus(statusCode, statusMessage, headers, carriage.redact(text)));
        });
      },
    });
    const timer = setTimeout(
      () => settle(noEndpoint(`nothing came within ${endpointTimeoutMs} ms`)),
      endpointTimeoutMs,
    );
    return promise;
  }

  private constructor(carriage: Carriage, endpoint: URL) {
    this.#carriage = carriage;
    this.endpoint = endpoint;
  }

  close(): void {
    this.#carriage.abort();
  }
}

function noEndpoint(why: string): HttpTrouble {
  const detail = `GET opened an event stream, but ${why}, expected an endpoint event`;
  return { name: "http-status", detail };
}
