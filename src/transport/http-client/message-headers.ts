/** Gives the headers of one POST: what it is, and what a gateway may read without its body. */

import { protocolVersionOf, type Outgoing } from "../../protocol/index.ts";
import { encodeHeaderValue } from "../http/header-value.ts";
import { statelessVersionOf, type HttpSession } from "./http-session.ts";
import type { ToolHeaders } from "./tool-headers.ts";

const plain: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#request-metadata */
export function headersOf(
  message: Outgoing,
  session: HttpSession,
  tools: ToolHeaders,
): Record<string, string> {
  if (message.kind !== "request" && message.kind !== "notification")
    return { ...plain, ...session.headers };
  const { method, params = {} } = message;
  if (method === "initialize") return { ...plain };
  const isNotification = message.kind === "notification";
  const own = statelessVersionOf(protocolVersionOf(params));
  const version =
    own ?? (isNotification && session.version === undefined ? session.statelessVersion : undefined);
  if (version === undefined) return { ...plain, ...session.headers };
  const headers: Record<string, string> = {
    ...plain,
    "mcp-protocol-version": version,
    "mcp-method": encodeHeaderValue(method),
    ...(method === "tools/call" ? tools.headersFor(params) : undefined),
  };
  const name = nameOf(method, params["name"], params["uri"]);
  if (typeof name === "string") headers["mcp-name"] = encodeHeaderValue(name);
  return headers;
}

function nameOf(method: string, name: unknown, uri: unknown): unknown {
  if (method === "tools/call" || method === "prompts/get") return name;
  return method === "resources/read" ? uri : undefined;
}
