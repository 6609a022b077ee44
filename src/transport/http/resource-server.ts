/**
 * An OAuth 2.1 resource server: takes access tokens that an authorization server has signed (JWT), for this resource alone.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */

import type { JSONWebKeySet, JWTPayload } from "jose";
import { describeThrown, ErrorCode, isStringArray, UsageError } from "../../protocol/index.ts";
import type { Principal } from "./application.ts";
import {
  challenge,
  readBearer,
  type Authenticator,
  type Challenge,
  type Verdict,
} from "./authenticator.ts";
import { refuse, type Refusal } from "./refusal.ts";

export interface ResourceServerOptions {
  /** The URL clients know this server by, and the audience its tokens must name; default: the URL it is served at. */
  readonly resource?: string;
  /** The authorization server's identifier: the `iss` of its tokens. */
  readonly issuer: string;
  /** The authorization server's keys: their URL, or the keys themselves. */
  readonly jwks: string | JSONWebKeySet;
  /** The audiences of which a token must name one; default: the resource. */
  readonly audience?: string | readonly string[];
  /** Which signatures are taken; default: the asymmetric ones. */
  readonly algorithms?: readonly string[];
  /** The scopes every request needs. */
  readonly scopes?: readonly string[];
  /** The scopes that calls of a tool need, by the tool's name. */
  readonly toolScopes?: { readonly [tool: string]: readonly string[] };
  /** The scopes that a wider one includes, by the wider one. */
  readonly impliedScopes?: { readonly [scope: string]: readonly string[] };
  /** For people, in the metadata document. */
  readonly resourceName?: string;
}

/** How far the clocks of two machines may differ. */
const clockToleranceSeconds = 5;
/** How long the authorization server may take to give its keys: requests wait for them. */
const jwksTimeoutMs = 5000;

/** No `none`, and no HMAC: a resource server that could check one could also forge it. */
const asymmetricAlgorithms = [
  "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519",
]; // prettier-ignore

/** Makes the check; loads the JWT library, which nobody else needs. Throws a `UsageError` for options that cannot be. */
export async function createResourceServer(
  options: ResourceServerOptions,
  resource: string,
  report: (text: string) => void,
): Promise<Authenticator> {
  const { issuer, jwks, algorithms = asymmetricAlgorithms, scopes = [], toolScopes = {} } = options;
  const { createLocalJWKSet, createRemoteJWKSet, jwtVerify } = await import("jose");
  const resourceUrl = readUrl("resource", resource);
  const metadataPath = `/.well-known/oauth-protected-resource${resourceUrl.pathname === "/" ? "" : resourceUrl.pathname}`;
  const resourceMetadata = new URL(metadataPath, resourceUrl).href;
  const base: Challenge =
    scopes.length === 0 ? { resourceMetadata } : { scope: scopes.join(" "), resourceMetadata };
  const keys =
    typeof jwks === "string"
      ? createRemoteJWKSet(readUrl("jwks", jwks), { timeoutDuration: jwksTimeoutMs })
      : createLocalJWKSet(jwks);
  const audience = options.audience ?? resource;
  const checks = {
    issuer: readUrl("issuer", issuer).href === `${issuer}/` ? [issuer, `${issuer}/`] : issuer,
    audience: typeof audience === "string" ? audience : [...audience],
    algorithms: [...algorithms],
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ["exp"],
  };

  const verify = async (token: string): Promise<Verdict> => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, checks);
      if (!isAccessTokenType(protectedHeader.typ)) return { refusal: refuseToken("typ", base) };
      const id = identify(payload);
      if (id === undefined) return { refusal: refuseToken("nobody", base) };
      const principal: Principal = {
        id,
        scopes: readScopes(payload, options.impliedScopes ?? {}),
        expiresAt: ((payload.exp ?? 0) + clockToleranceSeconds) * 1000,
      };
      const refusal = requireScopes(principal, scopes, base);
      return refusal === undefined ? { principal } : { refusal };
    } catch (thrown) {
      if (isTokenFault(thrown)) return { refusal: refuseToken(thrown.code, base) };
      report(`the keys of ${issuer} cannot be had: ${describeThrown(thrown)}`);
      return { refusal: keysUnavailable };
    }
  };

  return {
    authenticate: (authorization) => {
      const bearer = readBearer(authorization, base);
      return "refusal" in bearer ? bearer : verify(bearer.token);
    },
    checkTool: (principal, tool) =>
      Object.hasOwn(toolScopes, tool) && principal !== undefined
        ? requireScopes(principal, toolScopes[tool] ?? [], base)
        : undefined,
    metadata: {
      paths: [metadataPath, "/.well-known/oauth-protected-resource"],
      text: JSON.stringify({
        resource,
        authorization_servers: [issuer],
        bearer_methods_supported: ["header"],
        ...(scopes.length > 0 && { scopes_supported: scopes }),
        ...(options.resourceName !== undefined && { resource_name: options.resourceName }),
      }),
    },
  };
}

/**
 * Whether a token says of itself that it is for access; a logout or an identity token of the same issuer may say otherwise.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9068#section-2.1
 */
function isAccessTokenType(type: string | undefined): boolean {
  return type === undefined || /^(?:application\/)?(?:jwt|at\+jwt)$/i.test(type);
}

/** Gives who a token is for: a person and a client of the same name are two, and a token that names neither is nobody's. */
function identify({ iss, sub, client_id: client }: JWTPayload): string | undefined {
  if (sub !== undefined && sub !== "") return JSON.stringify([iss, "sub", sub]);
  if (typeof client === "string" && client !== "") return JSON.stringify([iss, "client", client]);
  return undefined;
}

/** Reads what a token allows; a wider scope brings those it includes. */
function readScopes(
  { scope, scp }: JWTPayload,
  implied: NonNullable<ResourceServerOptions["impliedScopes"]>,
): ReadonlySet<string> {
  const listed = typeof scope === "string" ? scope.split(" ") : isStringArray(scp) ? scp : [];
  const scopes = new Set<string>(listed);
  for (const one of scopes) {
    // A set grows while it is walked, so what an included scope includes is found as well.
    if (Object.hasOwn(implied, one))
      for (const narrower of implied[one] ?? []) scopes.add(narrower);
  }
  return scopes;
}

function requireScopes(
  { scopes }: Principal,
  needed: readonly string[],
  base: Challenge,
): Refusal | undefined {
  const missing = scopes === "all" ? [] : needed.filter((scope) => !scopes.has(scope));
  if (missing.length === 0) return undefined;
  const names = missing.map((scope) => JSON.stringify(scope)).join(" and ");
  const description = `the token lacks the scope ${missing.join(" ")}`;
  const scope = needed.join(" ");
  return refuse(
    403,
    `The token lacks the scope ${names}`,
    challenge({ ...base, error: "insufficient_scope", scope, description }),
  );
}

function refuseToken(code: string, base: Challenge): Refusal {
  const why = reasons[code] ?? "is not valid";
  const description = `the token ${why}`;
  return refuse(
    401,
    `The bearer token ${why}`,
    challenge({ ...base, error: "invalid_token", description }),
  );
}

/** Whether it is the token that is at fault, by the library's own codes, and not the way to the keys. */
function isTokenFault(thrown: unknown): thrown is Error & { readonly code: string } {
  if (!(thrown instanceof Error) || !("code" in thrown) || typeof thrown.code !== "string")
    return false;
  return /^ERR_(?:JWT|JWS|JOSE|JWKS_NO_MATCHING_KEY|JWKS_MULTIPLE_MATCHING_KEYS)/.test(thrown.code)
    ? thrown.code !== "ERR_JOSE_GENERIC"
    : false;
}

const reasons: Readonly<Record<string, string>> = {
  typ: "is of a type (typ) other than JWT and at+jwt",
  nobody: "names neither a person (sub) nor a client (client_id)",
  ERR_JWT_EXPIRED: "has expired",
  ERR_JWT_CLAIM_VALIDATION_FAILED: "is not for this server, or not from its authorization server",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "has a signature that does not fit",
  ERR_JWKS_NO_MATCHING_KEY: "is signed with a key that the authorization server does not list",
};

const keysUnavailable: Refusal = {
  status: 503,
  code: ErrorCode.InternalError,
  message: "The keys of the authorization server cannot be had at the moment",
  headers: ["retry-after", "5"],
};

function readUrl(name: string, text: string): URL {
  const url = URL.parse(text);
  if (url !== null && (url.protocol === "https:" || url.protocol === "http:")) return url;
  throw new UsageError(
    "invalid-auth",
    `Cannot use the ${name} ${JSON.stringify(text)}: it is no URL, expected https://…`,
  );
}
