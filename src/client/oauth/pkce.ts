/** Proof Key for Code Exchange: a secret that only the one who began an authorization knows. */

export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

/** @see https://www.rfc-editor.org/rfc/rfc7636#section-4 */
export async function createPkce(): Promise<Pkce> {
  const verifier = createSecret();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return { verifier, challenge: toBase64Url(new Uint8Array(digest)) };
}

/** Gives 256 random bits as text. */
export function createSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

export function toBase64Url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
