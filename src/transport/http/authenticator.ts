/** Who may call: what an endpoint asks of every request, whichever kind of token it takes. */

import type { Principal } from "./application.ts";
import type { HeaderList } from "./exchange.ts";
import { refuse, type Refusal } from "./refusal.ts";

export interface Authenticator {
  /** Reads who calls out of the `Authorization` header, or refuses. */
  authenticate(authorization: string | undefined): Verdict | Promise<Verdict>;
  /** Refuses a caller whose token lacks a scope that the tool needs. */
  checkTool(principal: Principal | undefined, tool: string): Refusal | undefined;
  /** What a client reads to find out where to get a token; absent where tokens are handed out by hand. */
  readonly metadata?: MetadataDocument;
}

export type Verdict = { readonly principal: Principal } | { readonly refusal: Refusal };

export interface MetadataDocument {
  /** Where it is served. */
  readonly paths: readonly string[];
  /** JSON. */
  readonly text: string;
}

export interface Challenge {
  readonly error?: "invalid_request" | "invalid_token" | "insufficient_scope";
  readonly description?: string;
  readonly scope?: string;
  readonly resourceMetadata?: string;
}

/**
 * Writes the header that tells a client what is missing.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3 and https://www.rfc-editor.org/rfc/rfc9728#section-5.1
 */
export function challenge(parts: Challenge): HeaderList {
  const parameters = [
    ["error", parts.error],
    ["error_description", parts.description],
    ["scope", parts.scope],
    ["resource_metadata", parts.resourceMetadata],
  ].flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replaceAll(/["\\]/g, "")}"`],
  );
  const value = parameters.length === 0 ? "Bearer" : `Bearer ${parameters.join(", ")}`;
  return ["www-authenticate", value];
}

/** Gives the token of an `Authorization: Bearer` header, or why there is none. */
export function readBearer(
  authorization: string | undefined,
  parts: Challenge,
): { readonly token: string } | { readonly refusal: Refusal } {
  if (authorization === undefined) {
    const message = "Authorization is missing, expected a bearer token";
    return { refusal: refuse(401, message, challenge(parts)) };
  }
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1];
  if (token !== undefined) return { token };
  const message = "Authorization cannot be read, expected the word Bearer and one token";
  const description = "expected one bearer token";
  return {
    refusal: refuse(400, message, challenge({ ...parts, error: "invalid_request", description })),
  };
}
