/** Keeps grants in a file of mode 0600, by issuer and resource. */

import { describeValue, isObject } from "../../protocol/index.ts";
import { readSecretFile, writeSecretFile } from "../../transport/index.ts";
import type { StoredGrant, TokenStore } from "./token-store.ts";

/** How many grants one file keeps, the newest. */
const maxGrants = 200;

/** Throws for a file that others may read. */
export function createFileStore(path: string): TokenStore {
  let writing: Promise<void> = Promise.resolve();
  const read = async (): Promise<readonly StoredGrant[]> => {
    const value = await readSecretFile(path);
    if (value === undefined) return [];
    const grants = isObject(value) ? value["grants"] : undefined;
    if (Array.isArray(grants)) return grants.filter(isGrant);
    throw new Error(
      `Cannot read "${path}": "grants" is ${describeValue(grants)}, expected an array`,
    );
  };
  const write = async (grant: StoredGrant): Promise<void> => {
    const others = (await read()).filter((each) => !isSame(each, grant.issuer, grant.resource));
    await writeSecretFile(path, { grants: [...others, grant].slice(-maxGrants) });
  };
  return {
    get: async (issuer, resource) =>
      (await read()).find((grant) => isSame(grant, issuer, resource)),
    set: (grant) => {
      writing = writing.catch(() => {}).then(() => write(grant)); // the one before was told of its own failure
      return writing;
    },
  };
}

function isSame(grant: StoredGrant, issuer: string, resource: string): boolean {
  return grant.issuer === issuer && grant.resource === resource;
}

function isGrant(value: unknown): value is StoredGrant {
  return (
    isObject(value) &&
    ["issuer", "resource", "clientId", "authMethod"].every(
      (name) => typeof value[name] === "string",
    ) &&
    ["clientSecret", "redirectUri", "accessToken", "refreshToken", "scope"].every(
      (name) => value[name] === undefined || typeof value[name] === "string",
    ) &&
    (value["expiresAt"] === undefined || typeof value["expiresAt"] === "number")
  );
}
