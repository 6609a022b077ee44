/** Reads the tokens of the principals, and tells by a caller's token who it is. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Environment } from "../gate/index.ts";
import type { Configuration } from "./configuration.ts";
import type { ConfigFault } from "./find-faults.ts";

export interface PrincipalTokens {
  /** All of them, for `serveHttp`. */
  readonly list: readonly string[];
  /** Gives the name for the digest by which a server knows a token. */
  nameOf(digest: string | undefined): string | undefined;
}

/** Gives `undefined` when no principal has one. Throws a `UsageError` with file and line for tokens that cannot be read. */
export function readTokens(
  { source, settings, folder }: Configuration,
  environment: Environment,
): PrincipalTokens | undefined {
  const names = new Map<string, string>();
  const list: string[] = [];
  const faults: ConfigFault[] = [];
  for (const [name, { token }] of Object.entries(settings.principals ?? {})) {
    if (token === undefined) continue;
    const path = ["principals", name, "token"];
    const tokens = readSource(token, folder, environment)
      .split(/\s+/)
      .filter((each) => each !== "");
    if (tokens.length === 0)
      faults.push({ path, what: "there is none to be read, expected one in the variable or file" });
    for (const each of tokens) {
      const digest = createHash("sha256").update(each).digest("base64url");
      const owner = names.get(digest) ?? name;
      if (owner !== name)
        faults.push({ path, what: `"${owner}" has the same, expected one of its own` });
      names.set(digest, name);
      list.push(each);
    }
  }
  if (faults.length > 0) throw source.refuse(faults);
  if (list.length === 0) return undefined;
  return { list, nameOf: (digest) => (digest === undefined ? undefined : names.get(digest)) };
}

function readSource(
  { env, file }: { readonly env?: string; readonly file?: string },
  folder: string,
  environment: Environment,
): string {
  if (env !== undefined) return environment[env] ?? "";
  if (file === undefined) return "";
  try {
    return readFileSync(resolve(folder, file), "utf8");
  } catch {
    return ""; // told with the place where it is named
  }
}
