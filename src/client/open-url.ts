/** Opens the transport to a URL, after a look at what the caller has given. */

import { UsageError } from "../protocol/index.ts";
import { openHttpClient, type Authorizer, type Transport } from "../transport/index.ts";
import type { ConnectOptions, UrlTarget } from "./options.ts";

/** Throws a `UsageError` for a URL or a header that cannot be used. */
export async function openUrl(
  { url: given, headers, auth }: UrlTarget,
  { maxLineBytes }: ConnectOptions,
): Promise<Transport> {
  const url = parseUrl(given);
  if (headers !== undefined) checkHeaders(headers);
  let authorizer: Authorizer | undefined;
  if (auth !== undefined) {
    const { createAuthorizer } = await import("./oauth/create-authorizer.ts");
    authorizer = createAuthorizer(auth, url);
  }
  return openHttpClient({ url, headers, authorizer, maxLineBytes });
}

/** Gives a URL as it may be shown: a query often holds a key, and user names come with passwords. */
export function showUrl(given: string | URL): string {
  const url = URL.parse(String(given));
  if (url === null) return String(given);
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?…"}`;
}

function parseUrl(given: string | URL): URL {
  const url = URL.parse(String(given));
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new UsageError(
      "bad-url",
      `Cannot connect to "${showUrl(given)}": it is no http: or https: URL, expected one`,
      { hint: "https://example.com/mcp" },
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(
      "bad-url",
      `Cannot connect to "${showUrl(url)}": the URL holds a user name or password, expected them in a header`,
      { hint: 'headers: { authorization: "Basic …" }' },
    );
  }
  url.hash = "";
  return url;
}

/** The client says these itself; a second voice would only contradict it. */
const own = new Set([
  "accept",
  "connection",
  "content-length",
  "content-type",
  "host",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "transfer-encoding",
]);

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      throw badHeader(name, "it is no name of a header", "letters, digits and -");
    }
    if (own.has(name.toLowerCase()) || name.toLowerCase().startsWith("mcp-param-")) {
      throw badHeader(name, "the client sets it itself", "another one");
    }
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw badHeader(name, "its value holds a character that no header may", "one line of text");
    }
  }
}

function badHeader(name: string, is: string, expected: string): UsageError {
  const shown = JSON.stringify(name.slice(0, 60));
  return new UsageError(
    "bad-header",
    `Cannot send the header ${shown}: ${is}, expected ${expected}`,
  );
}
