/** A state as people look at it from outside of a server: its audit log, its traces, its grants. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { archiveFolderOf, createArchiveReader } from "./audit-archive.ts";
import { giveAuditedGrant, revokeAuditedGrants } from "./audit-grants.ts";
import { AuditLog, auditMigrations } from "./audit-log.ts";
import type { AuditVerdict } from "./audit-verdict.ts";
import { verifyAudit } from "./audit-verify.ts";
import type { Grant } from "./grant.ts";
import { grantMigrations, Grants, type GrantRequest } from "./grants.ts";
import { openSqliteStore, stateFileName } from "./sqlite-store.ts";
import { StateError } from "./state-error.ts";
import type { Store } from "./store.ts";
import { TraceBook, traceMigrations } from "./trace-book.ts";

export interface StateDesk extends Disposable {
  readonly store: Store;
  readonly log: AuditLog;
  readonly traces: TraceBook;
  readonly grants: Grants;
  /** Proves the audit log and its archives. Throws as `verifyAudit`. */
  verifyAudit(expectedHead?: string): AuditVerdict;
  /** Gives a grant, and notes it in the audit log. Throws as `Grants.give`. */
  giveGrant(request: GrantRequest): Grant;
  /** Revokes a grant by its id, or all of a task, and notes it; gives those that held until now. */
  revokeGrants(
    idOrTask: string,
    why: { readonly by: string; readonly reason: string },
  ): readonly Grant[];
}

export interface StateDeskOptions {
  /** The clock, in ms since 1970; default: `Date.now`. */
  readonly now?: () => number;
  /** Whether the state is made where there is none, as a gate makes it. Default: false. */
  readonly isMade?: boolean;
}

/** Opens the state in a folder, beside the servers that use it. Throws a `StateError` where there is none, unless it is made. */
export function openStateDesk(
  stateDir: string,
  { now = Date.now, isMade = false }: StateDeskOptions = {},
): StateDesk {
  const place = join(stateDir, stateFileName);
  if (!isMade && !existsSync(place))
    throw new StateError(
      "unreachable",
      `Cannot open the state "${place}": there is none, expected one that a gate has made`,
    );
  const migrations = [grantMigrations, auditMigrations, traceMigrations];
  const store = openSqliteStore({ folder: stateDir, migrations });
  const desk = { store, log: new AuditLog(store), grants: new Grants(store, now), now };
  return {
    ...desk,
    traces: new TraceBook(store, { now }),
    verifyAudit: (expectedHead) =>
      verifyAudit(store, {
        expectedHead,
        readArchive: createArchiveReader(archiveFolderOf(stateDir)),
      }),
    giveGrant: (request) => giveAuditedGrant(desk, request),
    revokeGrants: (idOrTask, why) => revokeAuditedGrants(desk, idOrTask, why),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
