/** Signs who the client is, for servers that take a key instead of a shared secret (RFC 7523). */

import type { PrivateKey } from "./auth.ts";
import { OAuthError } from "./oauth-error.ts";
import { createSecret, toBase64Url } from "./pkce.ts";

/** How long an assertion holds: long enough for one request. */
const lifetimeSeconds = 60;

/** @param nowMs by `Date.now()` */
export async function signAssertion(
  clientId: string,
  issuer: string,
  { pem, algorithm, keyId }: PrivateKey,
  nowMs: number,
): Promise<string> {
  const issuedAt = Math.floor(nowMs / 1_000);
  const header = { alg: algorithm, typ: "JWT", ...(keyId === undefined ? {} : { kid: keyId }) };
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: issuer,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    jti: createSecret(),
  };
  const signed = `${encodePart(header)}.${encodePart(claims)}`;
  const key = await readKey(pem, algorithm);
  const signature = await crypto.subtle.sign(
    algorithm === "ES256" ? { name: "ECDSA", hash: "SHA-256" } : "RSASSA-PKCS1-v1_5",
    key,
    new TextEncoder().encode(signed),
  );
  return `${signed}.${toBase64Url(new Uint8Array(signature))}`;
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

async function readKey(pem: string, algorithm: PrivateKey["algorithm"]): Promise<Key> {
  try {
    const text = atob(pem.replaceAll(/-----[^-]+-----|\s/g, ""));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const kind =
      algorithm === "ES256"
        ? { name: "ECDSA", namedCurve: "P-256" }
        : { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
    return await crypto.subtle.importKey("pkcs8", bytes, kind, false, ["sign"]);
  } catch {
    // the reason would be about the key's bytes
    throw new OAuthError(
      `the private key cannot be read, expected PKCS #8 as PEM for ${algorithm}`,
    );
  }
}

function encodePart(value: object): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
}
