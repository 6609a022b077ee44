/** The options of a server that listens at a URL: headers, a token from the environment or a file, or a login in the browser. */

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Command } from "commander";
import { createFileStore, type Auth, type UrlTarget } from "../../client/index.ts";
import { toPrintable, UsageError } from "../../protocol/index.ts";

export interface UrlFlags {
  readonly header?: Readonly<Record<string, string>>;
  readonly tokenEnv?: string;
  readonly tokenFile?: string;
  readonly login?: boolean;
}

export function addUrlFlags(command: Command): Command {
  return command
    .option(
      "--header <name:value>",
      "a header for a server at a URL; may be given again",
      addHeader,
    )
    .option("--token-env <name>", "the variable that holds the bearer token for a URL")
    .option("--token-file <path>", "the file that holds the bearer token for a URL")
    .option("--login", "log in at a URL in the browser; the tokens are kept for the next time");
}

export function isUrl(word: string | undefined): word is string {
  return word !== undefined && /^https?:\/\//i.test(word);
}

/**
 * @param tell shows a line to the person
 * @throws UsageError for a variable that is not set, and for two ways to say who calls
 */
export function readUrlTarget(
  url: string,
  flags: UrlFlags,
  tell: (text: string) => void,
): UrlTarget {
  const { header } = flags;
  const auth = readAuth(flags, tell);
  return {
    url,
    ...(header === undefined ? {} : { headers: header }),
    ...(auth === undefined ? {} : { auth }),
  };
}

function readAuth(
  { tokenEnv, tokenFile, login }: UrlFlags,
  tell: (text: string) => void,
): Auth | undefined {
  const ways = [tokenEnv, tokenFile, login].filter((way) => way !== undefined).length;
  if (ways > 1)
    throw new UsageError(
      "two-logins",
      "Cannot log in: two ways to do so are given, expected one of --token-env, --token-file and --login",
    );
  if (tokenEnv !== undefined) {
    const token = process.env[tokenEnv];
    if (token !== undefined && token !== "") return { token };
    throw new UsageError(
      "no-token",
      `Cannot read the token: the variable "${toPrintable(tokenEnv, 60)}" is not set, expected the token in it`,
    );
  }
  if (tokenFile !== undefined) return { token: () => readTokenFile(tokenFile) };
  if (login !== true) return undefined;
  const open = (page: string): void =>
    tell(`Open this page to log in:\n${toPrintable(page, 4_000)}`);
  return { interactive: { open }, store: createFileStore(tokenPath()) };
}

async function readTokenFile(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (cause) {
    throw new UsageError(
      "no-token",
      `Cannot read the token file "${toPrintable(path, 100)}": it cannot be opened, expected a file with the token`,
      { cause },
    );
  }
}

/** @see https://specifications.freedesktop.org/basedir-spec/latest/ */
function tokenPath(): string {
  const { XDG_STATE_HOME: state } = process.env;
  const folder = state === undefined || state === "" ? join(homedir(), ".local", "state") : state;
  return join(folder, "genkan", "tokens.json");
}

function addHeader(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const at = text.indexOf(":");
  const name = text.slice(0, at).trim();
  if (at <= 0 || name === "") {
    throw new UsageError(
      "bad-header",
      `Cannot set the header ${JSON.stringify(text.slice(0, 60))}: there is no name before a colon, expected "name: value"`,
      { hint: "--header 'x-tenant: blue'" },
    );
  }
  if (name.toLowerCase() === "authorization") {
    throw new UsageError(
      "token-in-sight",
      "Cannot take a token from the command line: every user of this machine can read it there, expected it in a variable or a file",
      { hint: "--token-env NAME" },
    );
  }
  return { ...before, [name]: text.slice(at + 1).trim() };
}
