/** Decides whether a redirect is followed, and what goes along. */

import { isInsideAddress } from "./inside-address.ts";

/** How many redirects one request follows: it stops servers that point at each other. */
export const maxRedirects = 5;

export type Redirection =
  | { readonly kind: "follow"; readonly url: URL; readonly isSameOrigin: boolean }
  | { readonly kind: "refuse"; readonly why: string };

/**
 * Follows with the method and the body as they are. Credentials stay with their origin: an open redirect must not give them away.
 *
 * @param location the `Location` header
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15.4
 */
export function judgeRedirect(
  from: URL,
  status: number,
  location: string | undefined,
): Redirection {
  if (status === 303)
    return refuse(
      "303 See Other would turn the message into a GET without it, expected 307 or 308",
    );
  if (location === undefined) return refuse(`${status} comes without a Location, expected one`);
  const url = URL.parse(location, from.href);
  if (url === null) return refuse(`${status} has a Location that is no URL, expected one`);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return refuse(`${status} leads to ${url.protocol}, expected https:`);
  if (from.protocol === "https:" && url.protocol === "http:")
    return refuse(`${status} leads from https: to http:, expected https:`);
  if (url.username !== "" || url.password !== "")
    return refuse(`${status} leads to a URL with a password in it, expected one without`);
  if (isInsideAddress(url) && !isInsideAddress(from))
    return refuse(
      `${status} leads to this machine or its own network (${url.host}), expected a public address`,
    );
  return { kind: "follow", url, isSameOrigin: url.origin === from.origin };
}

/** Is true for a URL of this machine, by its name alone. */
export function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

function refuse(why: string): Redirection {
  return { kind: "refuse", why };
}
