/** Puts into words why an HTTP exchange brought no message. */

import type { IncomingHttpHeaders } from "node:http";
import type { HttpTrouble } from "../../protocol/index.ts";
import { describeChallenges, parseChallenges } from "./challenge.ts";

/** Explains an error of the socket, before any response. */
export function explainNetworkError(error: Error, url: URL): HttpTrouble {
  const code = codeOf(error);
  const { host, hostname } = url;
  const base = { name: "http-unreachable", cause: error } as const;
  if (code === "ECONNREFUSED")
    return { ...base, detail: `nothing listens at ${host} (${code}), expected a server` };
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return { ...base, detail: `the name ${hostname} was not found (${code}), expected a host` };
  if (code === "ECONNRESET" || code === "EPIPE")
    return { ...base, detail: `${host} closed the connection (${code}), expected a response` };
  if (code === "EPROTO" || code === "ERR_SSL_WRONG_VERSION_NUMBER")
    return {
      ...base,
      detail: `${host} does not speak TLS (${code}), expected https`,
      hint: `http://${host}${url.pathname}`,
    };
  if (code?.startsWith("HPE_") === true)
    return { ...base, detail: `what ${host} sent is not HTTP (${code}), expected a response` };
  const what = code === undefined ? error.message : `${code}: ${error.message}`;
  return { ...base, detail: `${host} could not be reached (${what}), expected a response` };
}

/** Explains a status that is no success; `body` is the text that came with it. */
export function explainStatus(
  status: number,
  reason: string | undefined,
  headers: IncomingHttpHeaders,
  body: string,
): HttpTrouble {
  const named = `${status}${reason === undefined || reason === "" ? "" : ` ${reason}`}`;
  const said = describeBody(headers["content-type"], body);
  if (status === 401 || status === 403) {
    const challenges = parseChallenges(headers["www-authenticate"]);
    const asked =
      status === 403 && challenges.length === 0 ? "" : `; ${describeChallenges(challenges)}`;
    const detail = `the server refused with ${named}${said}${asked}, expected to be let in`;
    return { name: "http-unauthorized", detail, status };
  }
  const detail = `the server answered ${named}${said}, expected a JSON-RPC reply`;
  return { name: "http-status", detail, status };
}

/** Explains a successful response whose body is of the wrong kind. */
export function explainContentType(
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
): HttpTrouble {
  const type = headers["content-type"];
  const encoding = headers["content-encoding"];
  const expected = "expected application/json or text/event-stream";
  if (encoding !== undefined && encoding !== "identity")
    return {
      name: "http-content-type",
      detail: `the body is encoded as ${encoding}, which was not asked for, expected none`,
      status,
    };
  if (status === 202 || status === 204 || (type === undefined && body === ""))
    return {
      name: "http-no-reply",
      detail: `the server answered the request with ${status} and no body, ${expected}`,
      status,
    };
  const is = type === undefined ? "no content type" : `the content type ${type}`;
  const detail = `the response has ${is}${describeBody(type, body)}, ${expected}`;
  return { name: "http-content-type", detail, status };
}

/** Shows a page by its title and anything else by its beginning; a JSON-RPC error by its message. */
function describeBody(type: string | undefined, body: string): string {
  const text = body.trim();
  if (text === "") return "";
  if (type?.includes("html") === true || /^<(?:!doctype|html)/i.test(text)) {
    const title = /<title[^<>]*>([^<]{1,200})/i.exec(text)?.[1]?.trim();
    return title === undefined ? ", a web page" : `, a web page titled "${title}"`;
  }
  const line = text.replaceAll(/\s+/g, " ");
  return `: ${line.length <= shownLength ? line : `${line.slice(0, shownLength)}…`}`;
}

const shownLength = 200;

/** A name with several addresses fails with one error for each. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
