/** Cuts a URL from outside down to what may be shown and kept: where it leads, not who goes there with what. */

export type UrlPart = "userinfo" | "query" | "fragment";

export type SanitisedUrl =
  | { readonly url: string; readonly removed: readonly UrlPart[] }
  | { readonly url: undefined; readonly reason: string };

/** Longer URLs are refused: one that is cut leads elsewhere. */
const defaultMaxUrl = 2048;

/** Gives an http or https URL without userinfo, query and fragment, or why there is none. */
export function sanitiseUrl(text: string, maxLength = defaultMaxUrl): SanitisedUrl {
  const url = URL.parse(text);
  if (url === null) return refuse("it is no absolute URL");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return refuse(`its scheme is "${url.protocol.slice(0, 20)}", expected http or https`);
  const removed: UrlPart[] = [];
  if (url.username !== "" || url.password !== "") removed.push("userinfo");
  if (url.search !== "") removed.push("query");
  if (url.hash !== "") removed.push("fragment");
  url.username = "";
  url.password = "";
  url.search = "";
  url.hash = "";
  const { href } = url;
  if (href.length > maxLength)
    return refuse(`it has ${href.length} characters, expected at most ${maxLength}`);
  return { url: href, removed };
}

function refuse(reason: string): SanitisedUrl {
  return { url: undefined, reason };
}
