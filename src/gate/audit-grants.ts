/** Gives and revokes grants so that the audit log says who did it, and why: both last, or neither. */

import type { AuditLog } from "./audit-log.ts";
import type { GrantEntry } from "./audit-record.ts";
import type { Grant } from "./grant.ts";
import type { GrantRequest, Grants } from "./grants.ts";
import type { Store } from "./store.ts";

export interface GrantDesk {
  readonly store: Store;
  readonly grants: Grants;
  readonly log: AuditLog;
  readonly now: () => number;
}

/** Throws as `Grants.give`. */
export function giveAuditedGrant({ store, grants, log }: GrantDesk, request: GrantRequest): Grant {
  return store.transact(() => {
    const grant = grants.give(request);
    log.append(toGivenEntry(grant));
    return grant;
  });
}

export function toGivenEntry(grant: Grant): GrantEntry {
  const { id, task, tools, uses, givenBy: by, givenAt: at, reason } = grant;
  return { kind: "grant", act: "given", at, grant: id, task_id: task, tools, uses, by, reason };
}

/** Revokes the grant of this id, or all grants of this task; gives those that held until now. */
export function revokeAuditedGrants(
  { store, grants, log, now }: GrantDesk,
  idOrTask: string,
  why: { readonly by: string; readonly reason: string },
): readonly Grant[] {
  return store.transact(() => {
    const revoked = grants
      .list()
      .filter(
        ({ id, task, revokedAt }) => revokedAt === undefined && [id, task].includes(idOrTask),
      );
    grants.revoke(idOrTask);
    for (const { id, task, tools, uses, used } of revoked)
      log.append({
        kind: "grant",
        act: "revoked",
        at: now(),
        grant: id,
        task_id: task,
        tools,
        uses: uses - used,
        ...why,
      });
    return revoked;
  });
}
