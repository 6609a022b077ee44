/** The refusals that an endpoint gives in the same words every time. */

import { ErrorCode } from "../../protocol/index.ts";
import type { HttpLimits } from "./limits.ts";
import { refuse, type Refusal } from "./refusal.ts";

/** The body is longer than the limit. */
export function tooLarge({ maxBodyBytes }: HttpLimits): Refusal {
  return refuse(413, `The body is over ${maxBodyBytes} bytes, the most this server takes`);
}

export const stopping: Refusal = {
  status: 503,
  code: ErrorCode.InternalError,
  message: "The server is stopping",
  headers: ["connection", "close", "retry-after", "1"],
};

export const failed: Refusal = {
  status: 500,
  code: ErrorCode.InternalError,
  message: "Internal error",
};

export const noBatches = refuse(
  400,
  "The body is an array; only sessions of 2025-03-26 have batches, expected one message",
);

export const noReplies = refuse(
  400,
  "The body is a reply; since 2026-07-28 answers come in inputResponses, expected a request",
);

export const versionMissing: Refusal = {
  status: 400,
  code: ErrorCode.InvalidParams,
  message: `_meta "io.modelcontextprotocol/protocolVersion" is absent, expected what MCP-Protocol-Version says`,
};

export const unsupportedVersion: Refusal = {
  status: 400,
  code: ErrorCode.UnsupportedProtocolVersion,
  message: "Unsupported protocol version",
};

export const sessionMissing = refuse(
  400,
  "Mcp-Session-Id is missing, expected the id that came with the answer to initialize; or, since 2026-07-28, a protocol version in _meta",
);

export const sessionUnknown = refuse(
  404,
  "There is no such session, or it has ended; expected initialize to open a new one",
);
