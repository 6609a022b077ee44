/** Who the client is to an authorization server: known beforehand, by a document of its own, or registered on the spot. */

import { isObject, toPrintable } from "../../protocol/index.ts";
import type { FetchDocument } from "../../transport/index.ts";
import { parseDocument, type ServerMetadata } from "./metadata.ts";
import { OAuthError } from "./oauth-error.ts";

export interface ClientIdentity {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** How it shows at the token endpoint who it is. */
  readonly authMethod: string;
  /** Where it may be sent back to, where it was registered for one address. */
  readonly redirectUri?: string;
}

export interface IdentityWishes {
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly clientIdMetadataUrl: string | undefined;
  readonly clientName: string;
  readonly scope: string | undefined;
}

/**
 * Chooses in the order of the specification.
 *
 * @param known what was registered there before, at the same address
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration
 */
export async function chooseIdentity(
  server: ServerMetadata,
  wishes: IdentityWishes,
  known: ClientIdentity | undefined,
  redirectUri: string,
  fetchDocument: FetchDocument,
): Promise<ClientIdentity> {
  const { clientId, clientSecret, clientIdMetadataUrl } = wishes;
  if (clientId !== undefined)
    return {
      clientId,
      ...(clientSecret === undefined ? {} : { clientSecret }),
      authMethod: chooseAuthMethod(server, clientSecret !== undefined),
    };
  if (clientIdMetadataUrl !== undefined && server.takesMetadataUrls)
    return { clientId: checkMetadataUrl(clientIdMetadataUrl), authMethod: "none" };
  if (known?.redirectUri === redirectUri) return known;
  if (server.registrationEndpoint !== undefined)
    return register(server, server.registrationEndpoint, wishes, redirectUri, fetchDocument);
  throw new OAuthError(
    `the authorization server ${server.issuer} registers no clients, expected one that it knows`,
    { hint: 'auth: { interactive: { clientId: "…" } }' },
  );
}

/** A secret is shown in the way the server prefers; one it does not say is HTTP's own (RFC 8414). */
export function chooseAuthMethod({ authMethods }: ServerMetadata, hasSecret: boolean): string {
  if (!hasSecret) return "none";
  const taken = authMethods ?? ["client_secret_basic"];
  if (taken.includes("client_secret_basic")) return "client_secret_basic";
  return taken.includes("client_secret_post") ? "client_secret_post" : "client_secret_basic";
}

/** @see https://www.rfc-editor.org/rfc/rfc7591#section-3.1 */
async function register(
  server: ServerMetadata,
  url: URL,
  { clientName, scope }: IdentityWishes,
  redirectUri: string,
  fetchDocument: FetchDocument,
): Promise<ClientIdentity> {
  const wanted = server.authMethods ?? ["none"];
  const authMethod =
    ["none", "client_secret_basic", "client_secret_post"].find((method) =>
      wanted.includes(method),
    ) ?? "none";
  const { status, text } = await fetchDocument({
    method: "POST",
    url,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: clientName,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: authMethod,
      application_type: "native",
      scope,
    }),
  });
  const document = parseDocument(text);
  if ((status !== 201 && status !== 200) || typeof document?.["client_id"] !== "string") {
    const { error, error_description: description } = document ?? {};
    const said = [error, description].filter((part) => typeof part === "string").join(": ");
    throw new OAuthError(
      `the authorization server ${server.issuer} did not register this client (${status}${said === "" ? "" : `, ${toPrintable(said, 200)}`}), expected a client id`,
      { hint: 'auth: { interactive: { clientId: "…" } }' },
    );
  }
  return readRegistration(document, document["client_id"], authMethod, redirectUri);
}

function readRegistration(
  document: object,
  clientId: string,
  authMethod: string,
  redirectUri: string,
): ClientIdentity {
  const { client_secret: secret, token_endpoint_auth_method: method } = isObject(document)
    ? document
    : {};
  const hasSecret = typeof secret === "string" && secret !== "";
  const given =
    typeof method === "string" ? method : hasSecret ? "client_secret_basic" : authMethod;
  return {
    clientId,
    ...(hasSecret ? { clientSecret: secret } : {}),
    authMethod: hasSecret ? given : "none",
    redirectUri,
  };
}

function checkMetadataUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "https:" && url.pathname !== "/" && url.hash === "") return text;
  throw new OAuthError(
    `clientIdMetadataUrl is "${toPrintable(text, 100)}", expected an https: URL with a path`,
    { hint: 'clientIdMetadataUrl: "https://example.com/client.json"' },
  );
}
