/** Answers what does not go to the endpoint: the protected resource's metadata (RFC 9728), or nothing at all. */

import type { Authenticator } from "./authenticator.ts";
import { answerPreflight } from "./cors.ts";
import type { Exchange, HeaderList } from "./exchange.ts";
import { quote } from "./media-type.ts";
import { refuse, sendRefusal } from "./refusal.ts";

/** @param endpointPath where the endpoint is, for the text that says so */
export function answerOtherPath(
  exchange: Exchange,
  endpointPath: string,
  cors: HeaderList,
  authenticator: Authenticator | undefined,
): void {
  const metadata = authenticator?.metadata;
  if (metadata === undefined || !metadata.paths.includes(exchange.path)) {
    const message = `There is nothing at ${quote(exchange.path)}, expected ${endpointPath}`;
    return sendRefusal(exchange, refuse(404, message), cors);
  }
  if (exchange.method === "OPTIONS") return answerPreflight(exchange, exchange.header("origin"));
  if (exchange.method !== "GET" && exchange.method !== "HEAD") {
    const message = `The method is ${quote(exchange.method)}, expected GET`;
    return sendRefusal(exchange, refuse(405, message, ["allow", "GET, HEAD, OPTIONS"]), cors);
  }
  const headers = ["content-type", "application/json", "cache-control", "max-age=300", ...cors];
  exchange.respond(200, headers, metadata.text);
}
