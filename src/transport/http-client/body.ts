/** Collects the body of a response, up to a limit. */

import { isAscii, isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { parseLine, type Arrival, type Fault, type RequestId } from "../../protocol/index.ts";
import { findInvalidUtf8 } from "../utf8.ts";

/** How much of the body of an error is read: it bounds what a server can make this side keep. */
export const maxErrorBytes = 64 * 1024;

export type Body = Buffer | "too large" | "cut off";

export function mediaTypeOf(headers: IncomingHttpHeaders): string | undefined {
  return headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
}

/** Calls `then` once; reading stops at the limit. */
export function collectBody(
  response: IncomingMessage,
  maxBytes: number,
  then: (body: Body) => void,
): void {
  const pieces: Buffer[] = [];
  let length = 0;
  let isOver = false;
  const finish = (body: Body): void => {
    if (isOver) return;
    isOver = true;
    then(body);
  };
  response.on("data", (piece: Buffer) => {
    length += piece.length;
    if (length <= maxBytes) return void pieces.push(piece);
    finish("too large");
    response.destroy();
  });
  response.on("end", () => {
    const [first] = pieces;
    finish(first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces));
  });
  response.on("error", () => finish("cut off"));
}

/** Reads the bytes of one message; a fault in it is that of the reply to `id`. */
export function readMessageBytes(bytes: Buffer, id: RequestId | undefined): Arrival[] {
  const arrivals: Arrival[] = [];
  if (isAscii(bytes)) parseLine(bytes.toString("latin1").trimEnd(), arrivals);
  else if (isUtf8(bytes)) parseLine(bytes.toString().trimEnd(), arrivals);
  else arrivals.push(notUtf8(bytes));
  return id === undefined ? arrivals : arrivals.map((arrival) => ownFault(arrival, id));
}

/** Whatever stands in a response to one request and cannot be read was meant to be its reply. */
function ownFault(arrival: Arrival, id: RequestId): Arrival {
  if (arrival.kind !== "fault") return arrival;
  const detail = arrival.detail.replaceAll(/\bthe line\b/g, "the body");
  if (arrival.id !== undefined && arrival.from === "reply") return { ...arrival, detail };
  return { ...arrival, detail, from: "reply", id };
}

function notUtf8(bytes: Buffer): Fault {
  const at = findInvalidUtf8(bytes);
  const detail = `byte ${at} of the body is not UTF-8`;
  return { kind: "fault", name: "not-utf8", at, detail, from: "unknown", id: undefined };
}
