/** Answers a server's refusals by OAuth 2.1: a kept token, a refreshed one, or a new one with the scopes that are asked for. */

import type {
  Authorizer,
  Challenge,
  FetchDocument,
  Refusal,
  RefusalVerdict,
} from "../../transport/index.ts";
import { discover, type Discovery } from "./discover.ts";
import { OAuthError } from "./oauth-error.ts";
import { parseScopes, uniteScopes } from "./scopes.ts";
import { requestTokens, type Tokens } from "./token-request.ts";
import type { StoredGrant, TokenStore } from "./token-store.ts";
import type { ClientIdentity } from "./client-identity.ts";
import type { PrivateKey } from "./auth.ts";

export interface OAuthParts {
  readonly url: URL;
  readonly store: TokenStore;
  readonly fetchDocument: FetchDocument;
  readonly now: () => number;
  /** The one authorization server that may be used. */
  readonly issuer: string | undefined;
  /** Asked for in addition. */
  readonly scope: string | undefined;
  readonly privateKey?: PrivateKey | undefined;
  /** Gets new tokens, without a refresh token. */
  readonly obtain: (
    discovery: Discovery,
    scope: string | undefined,
    known: ClientIdentity | undefined,
  ) => Promise<{ readonly identity: ClientIdentity; readonly tokens: Tokens }>;
}

/** How often more scopes are asked for: it stops a server that always wants another. */
export const maxStepUps = 5;

/** How long before its end a token is renewed: a request takes some time to arrive. */
const marginMs = 30_000;

export class OAuthAuthorizer implements Authorizer {
  readonly #parts: OAuthParts;
  #discovery: Discovery | undefined;
  #grant: StoredGrant | undefined;
  #renewing: Promise<RefusalVerdict> | undefined;
  /** What was asked for by step-ups: the same again is a refusal for good. */
  readonly #steps = new Set<string>();

  constructor(parts: OAuthParts) {
    this.#parts = parts;
  }

  header(): string | undefined | Promise<string | undefined> {
    const { expiresAt, refreshToken } = this.#grant ?? {};
    const isOver = expiresAt !== undefined && this.#parts.now() > expiresAt - marginMs;
    if (!isOver || refreshToken === undefined) return this.#currentHeader();
    this.#renewing ??= this.#finish(this.#refreshEarly());
    return this.#renewing.then(
      () => this.#currentHeader(),
      () => this.#currentHeader(), // the server will refuse it, and then it is asked for anew
    );
  }

  async judgeRefusal(refusal: Refusal): Promise<RefusalVerdict> {
    const current = this.#currentHeader();
    if (current !== undefined && refusal.sent !== current) return { kind: "again" }; // renewed meanwhile
    this.#renewing ??= this.#finish(this.#renew(refusal));
    return this.#renewing;
  }

  #currentHeader(): string | undefined {
    const token = this.#grant?.accessToken;
    return token === undefined ? undefined : `Bearer ${token}`;
  }

  #finish(renewing: Promise<RefusalVerdict>): Promise<RefusalVerdict> {
    return renewing.finally(() => {
      this.#renewing = undefined;
    });
  }

  async #renew({ status, challenges, sent }: Refusal): Promise<RefusalVerdict> {
    const challenge = challenges.find(({ scheme }) => scheme === "bearer");
    const isStepUp = status === 403;
    if (isStepUp && challenge?.parameters.get("error") !== "insufficient_scope")
      return { kind: "unanswered" };
    const { url, issuer, fetchDocument, store } = this.#parts;
    const discovery = await discover(url, challenge, issuer, fetchDocument);
    const grant = await store.get(discovery.server.issuer, discovery.resource);
    this.#discovery = discovery;
    this.#grant = grant;
    if (!isStepUp && this.#isFresh(grant) && `Bearer ${grant?.accessToken}` !== sent) return again;
    if (!isStepUp && (await this.#refresh(discovery, grant))) return again;
    const scope = this.#chooseScope(discovery, grant, challenge);
    if (isStepUp) {
      const step = scope ?? "";
      if (this.#steps.has(step) || this.#steps.size >= maxStepUps)
        return {
          kind: "failed",
          what: `the scopes "${step}" were asked for already, expected them to be enough`,
        };
      this.#steps.add(step);
    }
    const { identity, tokens } = await this.#parts.obtain(discovery, scope, grant);
    await this.#keep(discovery, identity, tokens, scope);
    return again;
  }

  /** What was asked for before stays asked for: a server names only what the one request wants. */
  #chooseScope(
    { scopes }: Discovery,
    grant: StoredGrant | undefined,
    challenge: Challenge | undefined,
  ): string | undefined {
    const challenged = parseScopes(challenge?.parameters.get("scope"));
    return uniteScopes(
      parseScopes(grant?.scope),
      challenged.length > 0 ? challenged : scopes,
      parseScopes(this.#parts.scope),
    );
  }

  async #refreshEarly(): Promise<RefusalVerdict> {
    if (this.#discovery !== undefined) await this.#refresh(this.#discovery, this.#grant);
    return again;
  }

  /** Gives false where there is no refresh token, or it is over. */
  async #refresh(discovery: Discovery, grant: StoredGrant | undefined): Promise<boolean> {
    if (grant?.refreshToken === undefined) return false;
    const { fetchDocument, now, privateKey } = this.#parts;
    const { server, resource } = discovery;
    try {
      const source = { server, resource, identity: grant, privateKey, fetchDocument, now };
      const tokens = await requestTokens(source, {
        grant_type: "refresh_token",
        refresh_token: grant.refreshToken,
      });
      const refreshToken = tokens.refreshToken ?? grant.refreshToken;
      await this.#keep(discovery, grant, { ...tokens, refreshToken }, grant.scope);
      return true;
    } catch (error) {
      if (!(error instanceof OAuthError) || error.code === undefined) throw error;
      return false; // over or withdrawn: a new grant takes its place
    }
  }

  async #keep(
    { server, resource }: Discovery,
    { clientId, clientSecret, authMethod, redirectUri }: ClientIdentity,
    { accessToken, refreshToken, expiresAt }: Tokens,
    scope: string | undefined,
  ): Promise<void> {
    this.#grant = {
      issuer: server.issuer,
      resource,
      clientId,
      authMethod,
      accessToken,
      ...(clientSecret === undefined ? {} : { clientSecret }),
      ...(redirectUri === undefined ? {} : { redirectUri }),
      ...(refreshToken === undefined ? {} : { refreshToken }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(scope === undefined ? {} : { scope }),
    };
    await this.#parts.store.set(this.#grant);
  }

  #isFresh(grant: StoredGrant | undefined): boolean {
    if (grant?.accessToken === undefined) return false;
    return grant.expiresAt === undefined || this.#parts.now() < grant.expiresAt - marginMs;
  }
}

const again: RefusalVerdict = { kind: "again" };
