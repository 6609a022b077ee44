/** Where tokens are kept between two runs; in memory unless told otherwise. */

/** What was obtained from one authorization server for one resource. */
export interface StoredGrant {
  readonly issuer: string;
  readonly resource: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** How the client says who it is at the token endpoint. */
  readonly authMethod: string;
  /** The loopback address that a dynamically registered client was registered with. */
  readonly redirectUri?: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
  /** By `Date.now()`. */
  readonly expiresAt?: number;
  /** Everything that was asked for, separated by spaces. */
  readonly scope?: string;
}

export interface TokenStore {
  get(issuer: string, resource: string): Promise<StoredGrant | undefined>;
  set(grant: StoredGrant): Promise<void>;
}

/** Keeps grants as long as the process lives. */
export function createMemoryStore(): TokenStore {
  const grants = new Map<string, StoredGrant>();
  return {
    get: async (issuer, resource) => grants.get(JSON.stringify([issuer, resource])),
    set: async (grant) => {
      grants.set(JSON.stringify([grant.issuer, grant.resource]), grant);
    },
  };
}
