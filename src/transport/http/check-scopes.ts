/** Checks that the caller may call the tools it calls. */

import type { Arrival, Fault, Message } from "../../protocol/index.ts";
import type { Principal } from "./application.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Refusal } from "./refusal.ts";

/** Gives the refusal of the first call whose tool asks for a scope that the caller has not. */
export function checkScopes(
  authenticator: Authenticator | undefined,
  arrival: Exclude<Arrival, Fault>,
  principal: Principal | undefined,
): Refusal | undefined {
  if (authenticator === undefined) return undefined;
  const items: readonly (Message | Fault)[] = arrival.kind === "batch" ? arrival.items : [arrival];
  for (const item of items) {
    if (item.kind !== "request" || item.method !== "tools/call") continue;
    const name = item.params?.["name"];
    const refusal = typeof name === "string" ? authenticator.checkTool(principal, name) : undefined;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
