/** Seals what a stateless call must remember between two rounds, so that the client can carry it but not change it. */

import { isObject, refuseParams, type JsonObject, type WireError } from "../protocol/index.ts";

/** What is sealed. */
export interface RequestState {
  /** Digest of the method and parameters it belongs to. */
  readonly request: string;
  /** Answers of earlier rounds by key, each with the digest of its question. */
  readonly answers: {
    readonly [key: string]: { readonly question: string; readonly result: JsonObject };
  };
  /** Digests of the questions now open, by key. */
  readonly open: { readonly [key: string]: string };
}

export interface RequestStateSeal {
  close(state: RequestState): Promise<string>;
  /** Throws a `WireError` (-32602) for a state that is altered, too old, or of another request. */
  open(sealed: string, request: string): Promise<RequestState>;
}

export interface SealOptions {
  /** Shared by all processes that answer for one server; default: random, so that only this process can continue. */
  readonly secret?: string | undefined;
  readonly ttlMs: number;
  readonly now: () => number;
}

/** Makes a seal: HMAC-SHA-256 over the state and its time. */
export function createRequestStateSeal({ secret, ttlMs, now }: SealOptions): RequestStateSeal {
  let key: Promise<SealKey> | undefined;
  const getKey = (): Promise<SealKey> => (key ??= importKey(secret));
  return {
    close: async (state) => {
      const payload = encodeBase64Url(
        new TextEncoder().encode(JSON.stringify({ ...state, at: now() })),
      );
      const signature = await crypto.subtle.sign(
        "HMAC",
        await getKey(),
        new TextEncoder().encode(payload),
      );
      return `${payload}.${encodeBase64Url(new Uint8Array(signature))}`;
    },
    open: async (sealed, request) => {
      const [payload = "", signature = ""] = sealed.split(".", 3); // however many dots a peer sends
      const text = new TextEncoder().encode(payload);
      if (!(await crypto.subtle.verify("HMAC", await getKey(), decodeBase64Url(signature), text)))
        throw invalidState("it was not made by this server");
      const { at, ...state } = parseState(payload);
      if (now() - at > ttlMs) throw invalidState(`it is older than ${ttlMs} ms`);
      if (state.request !== request) throw invalidState("it belongs to another request");
      return state;
    },
  };
}

type SealKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * Gives a short digest of a JSON value, the same for the same text. Throws a `RangeError` for a number that JSON cannot carry,
 * as 1e400 becomes one: its text would be that of `null`; and for a value too deep to be written.
 */
export async function digest(value: unknown): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(value, refuseNonFinite));
  return encodeBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", text)));
}

function refuseNonFinite(_key: string, value: unknown): unknown {
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  throw new RangeError("a number is beyond what JSON can carry");
}

function importKey(secret: string | undefined): Promise<SealKey> {
  const bytes =
    secret === undefined
      ? crypto.getRandomValues(new Uint8Array(32))
      : new TextEncoder().encode(secret);
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
}

/** Reads a payload whose signature has been verified, so that its shape is ours. */
function parseState(payload: string): RequestState & { readonly at: number } {
  const state: unknown = JSON.parse(new TextDecoder().decode(decodeBase64Url(payload)));
  if (!isState(state)) throw invalidState("its content cannot be read");
  return state;
}

function isState(state: unknown): state is RequestState & { readonly at: number } {
  if (!isObject(state) || typeof state["at"] !== "number" || typeof state["request"] !== "string")
    return false;
  return isObject(state["answers"]) && isObject(state["open"]);
}

function invalidState(why: string): WireError {
  return refuseParams(`"requestState" is not valid: ${why}; send the request again without it`);
}

function encodeBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/** Reads base64url; what is none gives bytes that no signature matches. */
function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, "base64url"));
}
