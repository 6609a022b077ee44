/** Claims the ids of a call: its intent is in the ledger, its grant's use is taken and its decision recorded, or none of it. */

import { requireState, situate, record, type Core } from "./core.ts";
import { bindTo, type Grant } from "./grant.ts";
import type { GrantRequest, Grants } from "./grants.ts";
import type { Entry } from "./ledger.ts";
import { judge, rulesAtTheClaim, rulesOfBudget, type Judgement } from "./rules/rules.ts";
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
    const grant = looked.grants[0]?.id ?? giveApproved(core, grants, request.approval);
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
  request: WorkRequest,
):
  | Exclude<Claim, { kind: "claimed" }>
  | { readonly kind: "free"; readonly grants: readonly Grant[] } {
  const { key, facts, tool } = request;
  const { ledger, grants } = requireState(core);
  const entry = ledger.find(key);
  if (entry !== undefined) return { kind: "found", entry };
  const usable = listGrants(grants, request);
  const isApproved = usable.length === 0 && canBeGiven(grants, request.approval);
  const situation = situate(core, facts, tool.limits.callsPerMinute, usable);
  const judgement = judge(situation, isApproved ? rulesOfBudget : rulesAtTheClaim);
  return judgement === undefined
    ? { kind: "free", grants: usable }
    : { kind: "refused", ending: judgement };
}

function listGrants(grants: Grants, { key, digest, facts }: WorkRequest): readonly Grant[] {
  const { risk, taskId, tool, origin, principal } = facts;
  if (risk === "read" || taskId === undefined) return [];
  return grants.listUsable({
    task: taskId,
    tool,
    origin,
    principal,
    forCall: bindTo(key, digest),
  });
}

/** One answer of a person is one grant, however often the client sends it. */
function canBeGiven(grants: Grants, approval: GrantRequest | undefined): boolean {
  if (approval?.forCall === undefined) return false;
  return !grants.wasGivenFor(approval.task, approval.forCall);
}

function giveApproved(
  { hooks }: Core,
  grants: Grants,
  approval: GrantRequest | undefined,
): string | undefined {
  if (approval === undefined) return undefined;
  const grant = grants.give(approval);
  for (const hook of hooks) hook.onGrant?.(grant);
  return grant.id;
}
