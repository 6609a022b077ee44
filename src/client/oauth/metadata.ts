/** Where metadata documents are, and what they must say; pure. */

import { describeValue, isObject, isStringArray, type JsonObject } from "../../protocol/index.ts";
import { isLoopback } from "../../transport/index.ts";
import { OAuthError } from "./oauth-error.ts";

/** What a server says of itself as a resource (RFC 9728). */
export interface ResourceMetadata {
  readonly resource: string;
  readonly issuers: readonly string[];
  readonly scopes: readonly string[] | undefined;
}

/** What is used of an authorization server's metadata (RFC 8414, OpenID Connect Discovery). */
export interface ServerMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint: URL | undefined;
  readonly tokenEndpoint: URL;
  readonly registrationEndpoint: URL | undefined;
  readonly authMethods: readonly string[] | undefined;
  readonly challengeMethods: readonly string[] | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly takesMetadataUrls: boolean;
  readonly namesIssuer: boolean;
}

/** Lists where a server's resource metadata may be, in the order to try. */
export function listResourceUrls(server: URL, named: string | undefined): readonly URL[] {
  const url = named === undefined ? null : URL.parse(named);
  if (url !== null) return [url];
  const root = new URL("/.well-known/oauth-protected-resource", server.origin);
  const path = server.pathname.replace(/\/$/, "");
  return path === "" ? [root] : [new URL(root.pathname + path, server.origin), root];
}

/**
 * Lists where an authorization server's metadata may be, in the order to try.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery
 */
export function listServerUrls(issuer: URL): readonly URL[] {
  const path = issuer.pathname.replace(/\/$/, "");
  const at = (pathname: string): URL => new URL(pathname, issuer.origin);
  const oauth = at(`/.well-known/oauth-authorization-server${path}`);
  const openid = at(`/.well-known/openid-configuration${path}`);
  return path === ""
    ? [oauth, openid]
    : [oauth, openid, at(`${path}/.well-known/openid-configuration`)];
}

/** Reads resource metadata; throws where it speaks for another resource, for then it may be anybody's. */
export function readResourceMetadata(document: JsonObject, server: URL): ResourceMetadata {
  const { resource, authorization_servers: issuers, scopes_supported: scopes } = document;
  if (typeof resource !== "string" || !covers(resource, server)) {
    throw new OAuthError(
      `the resource metadata is for ${describeValue(resource)}, expected ${canonicalResource(server)}`,
    );
  }
  if (!isStringArray(issuers) || issuers.length === 0) {
    throw new OAuthError(
      `the resource metadata has "authorization_servers" that is ${describeValue(issuers)}, expected at least one`,
    );
  }
  return { resource, issuers, scopes: isStringArray(scopes) ? scopes : undefined };
}

/** Reads server metadata; throws where its issuer is not the one that was asked, or an endpoint is not safe. */
export function readServerMetadata(
  document: JsonObject,
  issuer: string,
  server: URL,
): ServerMetadata {
  if (document["issuer"] !== issuer) {
    throw new OAuthError(
      `the metadata of the authorization server ${issuer} names the issuer ${describeValue(document["issuer"])}, expected the same`,
    );
  }
  const endpoint = (name: string): URL | undefined => {
    const value = document[name];
    return value === undefined ? undefined : checkEndpoint(value, name, server);
  };
  const strings = (name: string): readonly string[] | undefined => {
    const value = document[name];
    return isStringArray(value) ? value : undefined;
  };
  return {
    issuer,
    authorizationEndpoint: endpoint("authorization_endpoint"),
    tokenEndpoint: checkEndpoint(document["token_endpoint"], "token_endpoint", server),
    registrationEndpoint: endpoint("registration_endpoint"),
    authMethods: strings("token_endpoint_auth_methods_supported"),
    challengeMethods: strings("code_challenge_methods_supported"),
    scopes: strings("scopes_supported"),
    takesMetadataUrls: document["client_id_metadata_document_supported"] === true,
    namesIssuer: document["authorization_response_iss_parameter_supported"] === true,
  };
}

/** What 2025-03-26 says of a server that has no metadata at all. */
export function assumeServerMetadata(server: URL): ServerMetadata {
  return {
    issuer: server.origin,
    authorizationEndpoint: new URL("/authorize", server.origin),
    tokenEndpoint: new URL("/token", server.origin),
    registrationEndpoint: new URL("/register", server.origin),
    authMethods: undefined,
    challengeMethods: ["S256"],
    scopes: undefined,
    takesMetadataUrls: false,
    namesIssuer: false,
  };
}

/** Gives a URL where secrets may go: https, or this machine itself for a server that is on it too. */
export function checkEndpoint(value: unknown, name: string, server: URL): URL {
  const url = typeof value === "string" ? URL.parse(value) : null;
  const isSafe =
    url?.protocol === "https:" ||
    (url?.protocol === "http:" && isLoopback(url) && isLoopback(server));
  if (url !== null && isSafe && url.username === "" && url.password === "") return url;
  throw new OAuthError(`"${name}" is ${describeValue(value)}, expected an https: URL`);
}

/** Gives the name of a server as a resource (RFC 8707): no fragment, and no slash where the path is empty. */
export function canonicalResource(server: URL): string {
  const url = new URL(server.href);
  url.hash = "";
  return url.pathname === "/" && url.search === "" ? url.origin : url.href;
}

/** Is true for the server's own URL, and for a resource of the same origin whose path the server's lies under. */
function covers(resource: string, server: URL): boolean {
  const url = URL.parse(resource);
  if (url === null || url.origin !== server.origin || url.hash !== "") return false;
  if (url.search !== "" && url.search !== server.search) return false;
  const path = url.pathname.replace(/\/$/, "");
  return server.pathname === path || server.pathname.startsWith(`${path}/`);
}

export function parseDocument(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // a page of some kind: the next place may have the document
  }
}
