/** Makes the authorizer that an `auth` option asks for. */

import { UsageError } from "../../protocol/index.ts";
import {
  fetchDocument,
  isLoopback,
  openLoopbackListener,
  type Authorizer,
} from "../../transport/index.ts";
import type { Auth, ClientCredentialsAuth, InteractiveAuth } from "./auth.ts";
import { authorizePerson } from "./authorize-person.ts";
import { chooseAuthMethod } from "./client-identity.ts";
import { OAuthAuthorizer, type OAuthParts } from "./oauth-authorizer.ts";
import { requestTokens } from "./token-request.ts";
import { createMemoryStore } from "./token-store.ts";

/** Throws a `UsageError` for options that cannot work. */
export function createAuthorizer(auth: Auth, url: URL): Authorizer {
  if ("token" in auth) return holdToken(auth.token);
  if (url.protocol !== "https:" && !isLoopback(url)) {
    throw new UsageError(
      "not-https",
      `Cannot authorize at "${url.origin}": tokens would go unencrypted, expected https:`,
      { hint: `https://${url.host}${url.pathname}` },
    );
  }
  const base = { url, fetchDocument, now: Date.now, store: auth.store ?? createMemoryStore() };
  return new OAuthAuthorizer(
    "interactive" in auth ? forPerson(auth, base) : forProgram(auth, base),
  );
}

type Base = Pick<OAuthParts, "url" | "fetchDocument" | "now" | "store">;

function forPerson({ interactive: options }: InteractiveAuth, base: Base): OAuthParts {
  const { issuer, scope, clientId, clientSecret } = options;
  if (clientSecret !== undefined && clientId === undefined)
    throw missing("clientSecret", "clientId");
  checkIssuer(options);
  const parts = { options, openListener: openLoopbackListener, ...base };
  return {
    ...base,
    issuer,
    scope,
    obtain: (discovery, wanted, known) => authorizePerson(parts, discovery, wanted, known),
  };
}

/** @see https://www.rfc-editor.org/rfc/rfc6749#section-4.4 */
function forProgram({ clientCredentials: options }: ClientCredentialsAuth, base: Base): OAuthParts {
  const { clientId, clientSecret, privateKey, issuer, scope } = options;
  if (clientSecret === undefined && privateKey === undefined)
    throw missing("clientId", "clientSecret or privateKey");
  checkIssuer(options);
  return {
    ...base,
    issuer,
    scope,
    privateKey,
    obtain: async ({ server, resource }, wanted) => {
      const authMethod = chooseAuthMethod(server, clientSecret !== undefined);
      const secret = clientSecret === undefined ? {} : { clientSecret };
      const identity = { clientId, authMethod, ...secret };
      const source = { ...base, server, resource, identity, privateKey };
      const form = { grant_type: "client_credentials", scope: wanted };
      return { identity, tokens: await requestTokens(source, form) };
    },
  };
}

/** @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
function holdToken(token: string | (() => string | Promise<string>)): Authorizer {
  const judgeRefusal: Authorizer["judgeRefusal"] = async () => ({ kind: "unanswered" });
  if (typeof token !== "string") return { header: async () => bearer(await token()), judgeRefusal };
  const header = bearer(token);
  return { header: () => header, judgeRefusal };
}

function bearer(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return `Bearer ${token}`;
  throw new UsageError(
    "bad-token",
    "Cannot send the token: it is empty or holds what no header may, expected one word",
  );
}

/** A server that may name any authorization server may name its own, and read the secret there. */
function checkIssuer(options: {
  readonly clientSecret?: string;
  readonly issuer?: string;
  readonly trustsServer?: boolean;
}): void {
  const { clientSecret, issuer, trustsServer = false } = options;
  if (clientSecret !== undefined && issuer === undefined && !trustsServer)
    throw missing("clientSecret", "issuer (or trustsServer: true)");
}

function missing(given: string, expected: string): UsageError {
  return new UsageError(
    "bad-auth",
    `Cannot authorize by "${given}": it stands alone, expected ${expected} beside it`,
  );
}
