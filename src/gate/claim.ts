/** Claims the ids of a call: its intent is in the ledger, its grant's use is taken and its decision recorded, or none of it. */

import { requireState, situate, record, type Core } from "./core.ts";
import type { CallFacts } from "./feature.ts";
import type { Grant } from "./grant.ts";
import type { Grants } from "./grants.ts";
import type { Entry } from "./ledger.ts";
import { judge, rulesAtTheClaim, type Judgement } from "./rules/rules.ts";
import type { WorkRequest } from "./work.ts";

export type Claim =
  /** It may run now. */
  | { readonly kind: "claimed"; readonly grant: string | undefined }
  /** The ledger knows it already. */
  | { readonly kind: "found"; readonly entry: Entry }
  | { readonly kind: "refused"; readonly ending: Judgement };

/** Claims, in one transaction. Throws a `StateError` when the state cannot be written: then nothing may run. */
export function claim(core: Core, request: WorkRequest): Claim {
  const { store, ledger, grants, runners } = requireState(core);
  const runner = runners.hold();
  return store.transact(() => {
    const looked = lookUp(core, request);
    if (looked.kind !== "free") return looked;
    const grant = looked.grants[0]?.id;
    if (grant !== undefined) grants.take(grant);
    ledger.begin(request.key, request.digest, request.facts, grant, runner);
    const { facts } = request;
    record(core, { facts, at: core.now(), code: "ok", rule: undefined, grant }, undefined);
    return { kind: "claimed", grant };
  });
}

/** Finds out, without taking anything, whether a call could be claimed now. */
export function lookUp(
  core: Core,
  { key, facts, tool }: WorkRequest,
):
  | Exclude<Claim, { kind: "claimed" }>
  | { readonly kind: "free"; readonly grants: readonly Grant[] } {
  const { ledger, grants } = requireState(core);
  const entry = ledger.find(key);
  if (entry !== undefined) return { kind: "found", entry };
  const usable = listGrants(grants, facts);
  const situation = situate(core, facts, tool.limits.callsPerMinute, usable);
  const judgement = judge(situation, rulesAtTheClaim);
  return judgement === undefined
    ? { kind: "free", grants: usable }
    : { kind: "refused", ending: judgement };
}

function listGrants(
  grants: Grants,
  { risk, taskId, tool, origin, principal }: CallFacts,
): readonly Grant[] {
  if (risk === "read" || taskId === undefined) return [];
  return grants.listUsable({ task: taskId, tool, origin, principal });
}
