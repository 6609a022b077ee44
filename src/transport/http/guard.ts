/**
 * Checks `Host` and `Origin`: a web page must not reach a server on its visitor's machine or network (DNS rebinding).
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-endpoint
 */

import { UsageError } from "../../protocol/index.ts";
import { isLoopback, parseHost, type HostName } from "./host-name.ts";
import { quote } from "./media-type.ts";
import { refuse, type Refusal } from "./refusal.ts";

export interface GuardOptions {
  /**
   * The names this server is called by, with or without a port; `"*"` for any. Beside these, `localhost` and addresses
   * written in numbers are always allowed: no page can make its own name resolve to them.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * The origins of the web pages that may call, such as `https://app.example.com`; `"*"` for any. Default: pages of this
   * machine, and of the server itself.
   */
  readonly allowedOrigins?: readonly string[];
}

export type Guard = (host: string | undefined, origin: string | undefined) => Refusal | undefined;

/** Makes the check. Throws a `UsageError` for an allow-list that cannot be read. */
export function createGuard({ allowedHosts = [], allowedOrigins }: GuardOptions): Guard {
  const hosts = allowedHosts.map(readAllowedHost);
  const origins = allowedOrigins?.map(readAllowedOrigin);
  let lastAllowed: string | undefined; // clients repeat themselves: one comparison instead of two parsings

  const isAllowedHost = ({ name, port, isAddress }: HostName): boolean =>
    isAddress ||
    name === "localhost" ||
    hosts.some(
      (one) => one === "*" || (one.name === name && (one.port === undefined || one.port === port)),
    );

  const isAllowedOrigin = (origin: string, host: string): boolean => {
    const url = URL.parse(origin);
    const isOrigin = url !== null && url.origin === origin.toLowerCase();
    if (isOrigin && url.host === host.toLowerCase()) return true;
    if (origins === undefined) return isOrigin && isLoopback(url.hostname);
    return origins.some((one) => one === "*" || one === (isOrigin ? url.origin : origin));
  };

  return (host, origin) => {
    if (host !== undefined && host === lastAllowed && origin === undefined) return undefined;
    const parsed = host === undefined ? undefined : parseHost(host);
    if (host === undefined || parsed === undefined) {
      const is = host === undefined ? "missing" : quote(host);
      return refuse(400, `Host is ${is}, expected one name or address`);
    }
    if (!isAllowedHost(parsed)) {
      return refuse(
        403,
        `Host is ${quote(host)}, which this server does not answer for; if it should, its operator adds ${quote(parsed.name)} to the option allowedHosts`,
      );
    }
    if (origin !== undefined && !isAllowedOrigin(origin, host)) {
      return refuse(
        403,
        `Origin is ${quote(origin)}, whose pages may not call this server; if they should, its operator adds it to the option allowedOrigins`,
      );
    }
    if (host.length <= maxRemembered) lastAllowed = host;
    return undefined;
  };
}

/**
 * Refuses a request line that names another host than `Host`: what stands in front may go by the one, and this server by the other.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
 */
export function checkAuthority(
  authority: string | undefined,
  host: string | undefined,
): Refusal | undefined {
  if (authority === undefined || authority.toLowerCase() === host?.toLowerCase()) return undefined;
  return refuse(400, `The request is for ${quote(authority)}, expected the same as Host`);
}

const maxRemembered = 255;

function readAllowedHost(text: string): HostName | "*" {
  if (text === "*") return "*";
  const host = parseHost(text);
  if (host !== undefined) return host;
  throw new UsageError(
    "invalid-host",
    `Cannot allow the host ${JSON.stringify(text)}: it is no host, expected a name with or without a port`,
    { hint: `allowedHosts: ["mcp.example.com"]` },
  );
}

function readAllowedOrigin(text: string): string {
  if (text === "*" || text === "null") return text;
  const url = URL.parse(text);
  if (url !== null && url.origin !== "null" && url.href === `${url.origin}/`) return url.origin;
  throw new UsageError(
    "invalid-origin",
    `Cannot allow the origin ${JSON.stringify(text)}: it is no origin, expected a scheme and a host`,
    { hint: `allowedOrigins: ["https://app.example.com"]` },
  );
}
