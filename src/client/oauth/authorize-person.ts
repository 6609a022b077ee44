/** Lets a person agree in a browser: opens the page, waits for the browser to come back, and gets the tokens. */

import type { FetchDocument, LoopbackListener } from "../../transport/index.ts";
import { defaultPatienceMs, type InteractiveAuth } from "./auth.ts";
import { buildAuthorizationUrl, readAuthorizationResponse } from "./authorization-response.ts";
import { chooseIdentity, type ClientIdentity } from "./client-identity.ts";
import type { Discovery } from "./discover.ts";
import type { ServerMetadata } from "./metadata.ts";
import { OAuthError } from "./oauth-error.ts";
import { createPkce, createSecret } from "./pkce.ts";
import { parseScopes, uniteScopes } from "./scopes.ts";
import { requestTokens, type Tokens } from "./token-request.ts";

export interface PersonParts {
  readonly options: InteractiveAuth["interactive"];
  readonly fetchDocument: FetchDocument;
  readonly openListener: (port: number) => Promise<LoopbackListener>;
  readonly now: () => number;
}

export interface Agreed {
  readonly identity: ClientIdentity;
  readonly tokens: Tokens;
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization */
export async function authorizePerson(
  { options, fetchDocument, openListener, now }: PersonParts,
  { server, resource }: Discovery,
  wantedScope: string | undefined,
  known: ClientIdentity | undefined,
): Promise<Agreed> {
  const endpoint = checkServer(server);
  const scope = uniteScopes(parseScopes(wantedScope), offlineScope(server, wantedScope));
  await using listener = await openListener(options.port ?? portOf(known));
  const { redirectUri } = listener;
  const { clientName = "Genkan", clientId, clientSecret, clientIdMetadataUrl } = options;
  const wishes = { clientName, clientId, clientSecret, clientIdMetadataUrl, scope };
  const identity = await chooseIdentity(server, wishes, known, redirectUri, fetchDocument);
  const { verifier, challenge } = await createPkce();
  const state = createSecret();
  const page = buildAuthorizationUrl(endpoint, {
    server,
    clientId: identity.clientId,
    redirectUri,
    resource,
    scope,
    state,
    challenge,
  });
  const patienceMs = options.timeoutMs ?? defaultPatienceMs;
  const coming = waitForCode(listener, server, state, patienceMs); // before the browser can be back
  const opening = Promise.resolve(page).then(options.open);
  const code = await Promise.race([coming, opening.then(() => coming)]);
  const source = { server, resource, identity, fetchDocument, now };
  const tokens = await requestTokens(source, {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  return { identity, tokens };
}

function checkServer({ issuer, authorizationEndpoint, challengeMethods }: ServerMetadata): URL {
  if (challengeMethods?.includes("S256") !== true) {
    throw new OAuthError(
      `the authorization server ${issuer} does not say that it knows PKCE with S256, expected "code_challenge_methods_supported"`,
    );
  }
  if (authorizationEndpoint === undefined)
    throw new OAuthError(
      `the authorization server ${issuer} has no authorization_endpoint, expected one`,
    );
  return authorizationEndpoint;
}

/** Resolves with the code; visits that do not know the state are passed over. */
async function waitForCode(
  listener: LoopbackListener,
  server: ServerMetadata,
  state: string,
  limitMs: number,
): Promise<string> {
  let outcome: { readonly code: string } | { readonly error: unknown } | undefined;
  const ended = await listener.waitFor((parameters) => {
    if (outcome !== undefined || parameters.get("state") !== state) return { kind: "ignored" };
    try {
      outcome = { code: readAuthorizationResponse(parameters, server) };
      return { kind: "taken" };
    } catch (error) {
      outcome = { error };
      return { kind: "refused" };
    }
  }, limitMs);
  if (outcome !== undefined && "code" in outcome) return outcome.code;
  if (outcome !== undefined) throw outcome.error;
  throw new OAuthError(
    `nobody came back from the browser within ${limitMs} ms (${ended ?? "closed"}), expected someone to agree there`,
    { hint: `auth: { interactive: { timeoutMs: ${limitMs * 2} } }` },
  );
}

/** A refresh token is worth asking for where the server has a scope for it. */
function offlineScope({ scopes }: ServerMetadata, wanted: string | undefined): readonly string[] {
  return scopes?.includes("offline_access") === true && wanted !== undefined
    ? ["offline_access"]
    : [];
}

/** The port of the address that the client was registered with, to be known there again. */
function portOf(known: ClientIdentity | undefined): number {
  const url = known?.redirectUri === undefined ? null : URL.parse(known.redirectUri);
  return url === null ? 0 : Number(url.port);
}
