/** Asks an authorization server's token endpoint for a token. */

import { toPrintable } from "../../protocol/index.ts";
import type { FetchDocument } from "../../transport/index.ts";
import type { PrivateKey } from "./auth.ts";
import { signAssertion } from "./client-assertion.ts";
import type { ClientIdentity } from "./client-identity.ts";
import { parseDocument, type ServerMetadata } from "./metadata.ts";
import { OAuthError } from "./oauth-error.ts";

export interface TokenSource {
  readonly server: ServerMetadata;
  readonly resource: string;
  readonly identity: ClientIdentity;
  readonly privateKey?: PrivateKey | undefined;
  readonly fetchDocument: FetchDocument;
  /** As `Date.now()`. */
  readonly now: () => number;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** By `now()`. */
  readonly expiresAt: number | undefined;
  /** What was granted, where the server says it. */
  readonly scope: string | undefined;
}

/** Throws an `OAuthError` with the server's error code; nothing that was sent stands in its text. */
export async function requestTokens(
  { server, resource, identity, privateKey, fetchDocument, now }: TokenSource,
  grant: Readonly<Record<string, string | undefined>>,
): Promise<Tokens> {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...grant, resource }))
    if (value !== undefined) form.set(name, value);
  const headers: Record<string, string> = { "content-type": "application/x-www-form-urlencoded" };
  if (privateKey !== undefined) {
    form.set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    form.set(
      "client_assertion",
      await signAssertion(identity.clientId, server.issuer, privateKey, now()),
    );
    form.set("client_id", identity.clientId);
  } else showSecret(identity, form, headers);
  const { status, text } = await fetchDocument({
    method: "POST",
    url: server.tokenEndpoint,
    headers,
    body: form.toString(),
  });
  return readTokens(
    status,
    text,
    server,
    [...secretsOf(form, identity), ...basicOf(headers)],
    now(),
  );
}

/** @see https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 */
function showSecret(
  { clientId, clientSecret, authMethod }: ClientIdentity,
  form: URLSearchParams,
  headers: Record<string, string>,
): void {
  if (clientSecret !== undefined && authMethod === "client_secret_basic") {
    headers["authorization"] =
      `Basic ${btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`)}`;
    return;
  }
  form.set("client_id", clientId);
  if (clientSecret !== undefined && authMethod !== "none") form.set("client_secret", clientSecret);
}

function readTokens(
  status: number,
  text: string,
  { issuer }: ServerMetadata,
  secrets: readonly string[],
  now: number,
): Tokens {
  const document = parseDocument(text) ?? {};
  const {
    access_token: token,
    token_type: type,
    refresh_token: refresh,
    expires_in: expires,
    scope,
  } = document;
  if (status !== 200)
    throw describeRefusal(
      status,
      document["error"],
      document["error_description"],
      issuer,
      secrets,
    );
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token))
    throw new OAuthError(`the authorization server ${issuer} gave no access token, expected one`);
  if (typeof type !== "string" || type.toLowerCase() !== "bearer")
    throw new OAuthError(
      `the authorization server ${issuer} gave a token of another type, expected Bearer`,
    );
  return {
    accessToken: token,
    refreshToken: typeof refresh === "string" && refresh !== "" ? refresh : undefined,
    expiresAt: typeof expires === "number" && expires > 0 ? now + expires * 1_000 : undefined,
    scope: typeof scope === "string" ? scope : undefined,
  };
}

function describeRefusal(
  status: number,
  error: unknown,
  description: unknown,
  issuer: string,
  secrets: readonly string[],
): OAuthError {
  const code = typeof error === "string" ? error : undefined;
  const said = [code, typeof description === "string" ? description : undefined]
    .filter((part) => part !== undefined)
    .join(": ");
  const shown = secrets.reduce((safe, secret) => safe.replaceAll(secret, "[redacted]"), said);
  return new OAuthError(
    `the authorization server ${issuer} gave no token (${status}${shown === "" ? "" : `, ${toPrintable(shown, 200)}`}), expected one`,
    code === undefined ? {} : { code },
  );
}

/** A server may put what it was sent into its error. */
function secretsOf(form: URLSearchParams, { clientSecret }: ClientIdentity): readonly string[] {
  const names = ["code", "code_verifier", "refresh_token", "client_secret", "client_assertion"];
  return [clientSecret, ...names.map((name) => form.get(name))].flatMap((secret) =>
    typeof secret === "string" && secret !== "" ? [secret] : [],
  );
}

function basicOf({ authorization }: Readonly<Record<string, string>>): readonly string[] {
  return authorization === undefined ? [] : [authorization.replace(/^Basic /, "")];
}

function formEncode(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}
