/** How the client says who it is in a scenario of authorization. */

import type { Auth, JsonObject } from "../../../src/index.ts";

/** Gives how to authorize, if the scenario is about that; the suite hands out what a client would be told beforehand. */
export function authFor(scenario: string, known: JsonObject): Auth | undefined {
  if (!scenario.startsWith("auth/")) return undefined;
  const clientId = readText(known, "client_id");
  const clientSecret = readText(known, "client_secret");
  switch (scenario) {
    case "auth/client-credentials-basic":
      return { clientCredentials: { clientId, clientSecret, trustsServer: true } };
    case "auth/client-credentials-jwt":
      return {
        clientCredentials: {
          clientId,
          privateKey: { pem: readText(known, "private_key_pem"), algorithm: "ES256" },
        },
      };
    case "auth/pre-registration":
      return { interactive: { open: agree, clientId, clientSecret, trustsServer: true } };
  }
  return { interactive: { open: agree, clientIdMetadataUrl } };
}

/** Whether the client is to end a scenario by refusing to go on, or by giving up. */
export function isToBeRefused(scenario: string): boolean {
  return refusals.has(scenario);
}

const refusals = new Set([
  "auth/iss-normalized",
  "auth/iss-supported-missing",
  "auth/iss-unexpected",
  "auth/iss-wrong-issuer",
  "auth/metadata-issuer-mismatch",
  "auth/resource-mismatch",
  "auth/scope-retry-limit",
]);

/** Does what a browser would: the authorization server of the suite agrees at once, and sends it back to the client. */
function agree(url: string): void {
  const visit = async (): Promise<void> => {
    const page = await fetch(url);
    await page.text();
  };
  visit().catch(console.error); // not awaited: the client writes the last page when it has its token
}

/** It leads nowhere: the suite knows what stands there. */
const clientIdMetadataUrl = "https://conformance-test.local/client-metadata.json";

/** Reads what the suite hands out: an object, whose members depend on the scenario. */
export function readKnown(known: unknown): JsonObject {
  return typeof known === "object" && known !== null ? { ...known } : {};
}

function readText(known: JsonObject, name: string): string {
  const value = known[name];
  return typeof value === "string" ? value : "";
}
