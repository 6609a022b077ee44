/** What a browser must hear before a page may call this server and read its answers (CORS). */

import type { Exchange, HeaderList } from "./exchange.ts";

/** The headers for an answer to a page whose origin the guard has let through; none where no page asks. */
export function corsHeaders(origin: string | undefined): HeaderList {
  if (origin === undefined) return none;
  return [
    "access-control-allow-origin",
    origin,
    "access-control-expose-headers",
    "Mcp-Session-Id, WWW-Authenticate, Retry-After",
    "vary",
    "Origin",
  ];
}

/** Answers a preflight: the methods and headers of MCP, and those of the tools' parameters that are asked for. */
export function answerPreflight(exchange: Exchange, origin: string | undefined): void {
  const asked = exchange.header("access-control-request-headers") ?? "";
  const parameters = asked
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/i.test(name))
    .slice(0, maxParameters);
  exchange.respond(204, [
    "access-control-allow-methods",
    allowedMethods,
    "access-control-allow-headers",
    [...protocolHeaders, ...parameters].join(", "),
    "access-control-max-age",
    "600",
    ...(exchange.header("access-control-request-private-network") === "true"
      ? ["access-control-allow-private-network", "true"]
      : []),
    "allow",
    allowedMethods,
    ...corsHeaders(origin),
  ]);
}

export const allowedMethods = "POST, GET, DELETE, OPTIONS";

/** How many headers of tool parameters one preflight may ask for: it bounds the answer. */
const maxParameters = 64;
const none: HeaderList = [];

const protocolHeaders = [
  "Content-Type",
  "Accept",
  "Authorization",
  "MCP-Protocol-Version",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Session-Id",
  "Last-Event-ID",
];
