/** Builds the page a person is sent to, and judges with what the browser comes back. */

import { toPrintable } from "../../protocol/index.ts";
import type { ServerMetadata } from "./metadata.ts";
import { OAuthError } from "./oauth-error.ts";

export interface AuthorizationRequest {
  readonly server: ServerMetadata;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scope: string | undefined;
  readonly state: string;
  readonly challenge: string;
}

export function buildAuthorizationUrl(endpoint: URL, request: AuthorizationRequest): string {
  const url = new URL(endpoint.href);
  const parameters = {
    response_type: "code",
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    resource: request.resource,
    scope: request.scope,
    state: request.state,
    code_challenge: request.challenge,
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Gives the code, or throws. What comes from another issuer is neither used nor shown.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9207#section-2.4
 */
export function readAuthorizationResponse(
  parameters: URLSearchParams,
  server: ServerMetadata,
): string {
  const issuer = parameters.get("iss");
  if (issuer === null && server.namesIssuer) {
    throw new OAuthError(
      `the browser came back without "iss", which the authorization server ${server.issuer} promises, expected it`,
    );
  }
  if (issuer !== null && issuer !== server.issuer) {
    throw new OAuthError(
      `the browser came back from another authorization server than ${server.issuer}, expected that one`,
    );
  }
  const error = parameters.get("error");
  if (error !== null) {
    const description = parameters.get("error_description");
    const said = toPrintable(description === null ? error : `${error}: ${description}`, 200);
    throw new OAuthError(
      `the authorization server ${server.issuer} refused (${said}), expected a code`,
      {
        code: error,
      },
    );
  }
  const code = parameters.get("code");
  if (code === null || code === "")
    throw new OAuthError(`the browser came back without a code, expected one`);
  return code;
}
