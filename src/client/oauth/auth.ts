/** What `connect()` takes as `auth`: how to answer a server that asks who calls. */

import type { TokenStore } from "./token-store.ts";

export type Auth = TokenAuth | ClientCredentialsAuth | InteractiveAuth;

/** How long a person may take. */
export const defaultPatienceMs = 300_000;

/** One bearer token, obtained elsewhere. */
export interface TokenAuth {
  /** The token, or where to read it before each request: a file that is renewed, for instance. */
  readonly token: string | (() => string | Promise<string>);
}

/** The program itself is the client, known to the authorization server beforehand. */
export interface ClientCredentialsAuth {
  readonly clientCredentials: {
    readonly clientId: string;
    /** Either this … */
    readonly clientSecret?: string;
    /** … or a key with which the client signs who it is (`private_key_jwt`). */
    readonly privateKey?: PrivateKey;
    /** The authorization server that knows the client; no other gets its secret. */
    readonly issuer?: string;
    /** Whether the secret may go to whichever authorization server the server names, where there is no `issuer`. */
    readonly trustsServer?: boolean;
    /** Asked for in addition to what the server wants, separated by spaces. */
    readonly scope?: string;
  };
  readonly store?: TokenStore;
}

export interface PrivateKey {
  /** PKCS #8, as PEM. */
  readonly pem: string;
  readonly algorithm: "ES256" | "RS256";
  readonly keyId?: string;
}

/** A person agrees, in a browser. */
export interface InteractiveAuth {
  readonly interactive: {
    /** Brings the person to a page: opens a browser, or prints the URL. */
    readonly open: (url: string) => void | Promise<void>;
    /** How the client is called where people are asked; default "Genkan". */
    readonly clientName?: string;
    /** A client id that the authorization server knows already. */
    readonly clientId?: string;
    readonly clientSecret?: string;
    /** The authorization server that knows `clientId`; no other gets its secret. */
    readonly issuer?: string;
    /** Whether the secret may go to whichever authorization server the server names, where there is no `issuer`. */
    readonly trustsServer?: boolean;
    /** Where this client's metadata document is, for servers that take such a URL as the client's id. */
    readonly clientIdMetadataUrl?: string;
    /** Asked for in addition to what the server wants, separated by spaces. */
    readonly scope?: string;
    /** The port of the loopback address to come back to; default any free one. */
    readonly port?: number;
    /** How long the person may take; default five minutes. */
    readonly timeoutMs?: number;
  };
  readonly store?: TokenStore;
}
