/** Checks what the headers alone tell of a POST. */

import { ErrorCode } from "../../protocol/index.ts";
import type { Exchange } from "./exchange.ts";
import type { HttpLimits } from "./limits.ts";
import { checkBodyHeaders, parseAccept, quote } from "./media-type.ts";
import { refuse, type Refusal } from "./refusal.ts";
import { tooLarge } from "./refusals.ts";

/** @param inFlight how many requests are being answered */
export function checkPost(
  exchange: Exchange,
  limits: HttpLimits,
  inFlight: number,
): Refusal | undefined {
  const accept = exchange.header("accept");
  const wants = parseAccept(accept);
  if (!wants.json && !wants.events) {
    const message = `Accept is ${quote(accept ?? "")}, expected application/json and text/event-stream`;
    return refuse(406, message);
  }
  if (Number(exchange.header("content-length") ?? 0) > limits.maxBodyBytes) return tooLarge(limits);
  if (inFlight >= limits.maxInFlight) {
    const message = `${limits.maxInFlight} requests are being answered, the most this server takes at once`;
    return { ...refuse(503, message, ["retry-after", "1"]), code: ErrorCode.InternalError };
  }
  return checkBodyHeaders(exchange.header("content-type"), exchange.header("content-encoding"));
}
