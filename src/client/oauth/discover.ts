/** Finds out who authorizes for a server: its resource metadata first, the authorization server's then. */

import type { Challenge, FetchDocument } from "../../transport/index.ts";
import {
  assumeServerMetadata,
  canonicalResource,
  checkEndpoint,
  listResourceUrls,
  listServerUrls,
  parseDocument,
  readResourceMetadata,
  readServerMetadata,
  type ResourceMetadata,
  type ServerMetadata,
} from "./metadata.ts";
import type { JsonObject } from "../../protocol/index.ts";
import { OAuthError } from "./oauth-error.ts";

export interface Discovery {
  /** The name of the server as a resource, for every request for a token. */
  readonly resource: string;
  readonly server: ServerMetadata;
  /** What the server offers to ask for. */
  readonly scopes: readonly string[] | undefined;
}

/** @param issuer the one authorization server that may be used; absent for any the server names */
export async function discover(
  url: URL,
  challenge: Challenge | undefined,
  issuer: string | undefined,
  fetchDocument: FetchDocument,
): Promise<Discovery> {
  const named = challenge?.parameters.get("resource_metadata");
  const found = await findResource(url, named, fetchDocument);
  if (found === undefined) return discoverWithoutResource(url, issuer, fetchDocument);
  const chosen = issuer ?? found.issuers[0] ?? "";
  if (!found.issuers.includes(chosen)) {
    throw new OAuthError(
      `the server names the authorization server ${found.issuers[0]}, expected ${chosen}, which knows this client`,
    );
  }
  const server = await findServer(chosen, url, fetchDocument);
  if (server === undefined)
    throw new OAuthError(
      `the authorization server ${chosen} has no metadata, expected some of RFC 8414`,
    );
  return { resource: found.resource, server, scopes: found.scopes };
}

/** Servers of 2025-03-26 have no resource metadata: they authorize themselves. */
async function discoverWithoutResource(
  url: URL,
  issuer: string | undefined,
  fetchDocument: FetchDocument,
): Promise<Discovery> {
  const server = await findServer(issuer ?? url.origin, url, fetchDocument);
  if (server === undefined && issuer !== undefined)
    throw new OAuthError(
      `the authorization server ${issuer} has no metadata, expected some of RFC 8414`,
    );
  const assumed = server ?? assumeServerMetadata(url);
  checkEndpoint(assumed.tokenEndpoint.href, "token_endpoint", url);
  return { resource: canonicalResource(url), server: assumed, scopes: undefined };
}

async function findResource(
  url: URL,
  named: string | undefined,
  fetchDocument: FetchDocument,
): Promise<ResourceMetadata | undefined> {
  for (const place of listResourceUrls(url, named)) {
    const document = await readAt(
      checkEndpoint(place.href, "resource_metadata", url),
      fetchDocument,
    );
    if (document !== undefined) return readResourceMetadata(document, url);
  }
  if (named === undefined) return undefined;
  throw new OAuthError(
    `there is no resource metadata at ${named}, expected it where the server says it is`,
  );
}

async function findServer(
  issuer: string,
  url: URL,
  fetchDocument: FetchDocument,
): Promise<ServerMetadata | undefined> {
  for (const place of listServerUrls(checkEndpoint(issuer, "issuer", url))) {
    const document = await readAt(place, fetchDocument);
    if (document !== undefined) return readServerMetadata(document, issuer, url);
  }
  return undefined;
}

async function readAt(url: URL, fetchDocument: FetchDocument): Promise<JsonObject | undefined> {
  const { status, text } = await fetchDocument({
    method: "GET",
    url,
    headers: { "mcp-protocol-version": "2026-07-28" },
  }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OAuthError(`${url.origin}${url.pathname} could not be read: ${why}`, { cause });
  });
  return status === 200 ? parseDocument(text) : undefined;
}
