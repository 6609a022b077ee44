/** Bearer tokens handed out by hand: known by their digests, compared in constant time. */

import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { UsageError } from "../../protocol/index.ts";
import { challenge, readBearer, type Authenticator, type Challenge } from "./authenticator.ts";
import { refuse } from "./refusal.ts";

/**
 * Where the tokens are: in an environment variable, in a file, or in a list that the program has read from elsewhere. Several
 * are separated by white space. Never in `argv`, which every process of the machine can read.
 */
export type TokenSource =
  | { readonly env: string }
  | { readonly file: string }
  | { readonly list: readonly string[] };

/** The shortest token: 22 characters of base64 are 128 bits, which nobody guesses. */
const minTokenLength = 22;

/** Reads the tokens. Throws a `UsageError` when there are none, or one can be guessed. */
export function createTokenList(
  source: TokenSource,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Authenticator {
  const digests = readTokens(source, environment).map(digestOf);
  return {
    authenticate: (authorization) => {
      const bearer = readBearer(authorization, {});
      if ("refusal" in bearer) return bearer;
      const digest = digestOf(bearer.token);
      const isKnown = digests.filter((one) => timingSafeEqual(one, digest)).length > 0; // looks at all of them
      if (isKnown) return { principal: { id: digest.toString("base64url"), scopes: "all" } };
      return { refusal: refuse(401, "The bearer token is unknown", challenge(unknownToken)) };
    },
    checkTool: () => undefined,
  };
}

function readTokens(
  source: TokenSource,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const place = describeSource(source);
  const tokens = readList(source, environment).filter((token) => token !== "");
  if (tokens.length === 0) throw invalid(`there is none in ${place}, expected at least one`);
  const short = tokens.findIndex((token) => token.length < minTokenLength);
  if (short !== -1)
    throw invalid(
      `number ${short + 1} in ${place} has ${tokens[short]?.length} characters, expected at least ${minTokenLength}`,
    );
  const odd = tokens.findIndex((token) => !/^[A-Za-z0-9._~+/-]+=*$/.test(token));
  if (odd !== -1)
    throw invalid(`number ${odd + 1} in ${place} has characters that no bearer token may have`);
  return tokens;
}

function readList(
  source: TokenSource,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if ("list" in source) return source.list;
  if ("env" in source) return (environment[source.env] ?? "").split(/\s+/);
  try {
    return readFileSync(source.file, "utf8").split(/\s+/);
  } catch (cause) {
    throw new UsageError(
      "invalid-tokens",
      `Cannot read the bearer tokens of "${source.file}": it cannot be read, expected a text file`,
      { cause },
    );
  }
}

function describeSource(source: TokenSource): string {
  if ("list" in source) return "the list";
  return "env" in source ? `the variable ${source.env}` : `the file "${source.file}"`;
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function invalid(what: string): UsageError {
  const hint = `node -p "crypto.randomBytes(32).toString('base64url')"`;
  return new UsageError("invalid-tokens", `Cannot take the bearer tokens: ${what}`, { hint });
}

const unknownToken: Challenge = { error: "invalid_token", description: "the token is unknown" };
