/** The audit log as a part of the gate: a record for each decision, and one for each outcome. */

import { hash } from "node:crypto";
import { createAuditArchive } from "./audit-archive.ts";
import { toGivenEntry } from "./audit-grants.ts";
import { AuditLog, auditMigrations } from "./audit-log.ts";
import type { AuditedCall } from "./audit-record.ts";
import { rotateAudit, type AuditLimits } from "./audit-rotation.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Code } from "./codes.ts";
import type { CallFacts, Feature, Hooks } from "./feature.ts";
import { Redactor } from "./redactor.ts";
import { StateError } from "./state-error.ts";
import type { Store } from "./store.ts";

export interface AuditOptions {
  /** Takes secrets out of what callers choose: ids, origins, arguments. */
  readonly redactor?: Redactor;
  /** Where records go that are moved out; without one they are gone for good. */
  readonly archiveFolder?: string;
  readonly limits?: Partial<AuditLimits>;
  readonly now?: () => number;
  /** Is told when records could not be moved out; calls go on. */
  readonly onTrouble?: (error: StateError) => void;
}

/** After how many records of this process it looks whether some are to be moved out. */
const rotationInterval = 10_000;

export function createAuditFeature(options: AuditOptions = {}): Feature {
  return {
    name: "audit",
    migrations: auditMigrations,
    open: (store) => (store === undefined ? {} : openAudit(store, options)),
  };
}

function openAudit(store: Store, options: AuditOptions): Hooks {
  const { redactor = new Redactor() } = options;
  const log = new AuditLog(store);
  let isOpen = true;
  let appended = 0;
  const rotate = (): void => {
    if (isOpen) tryToRotate(store, log, options);
  };
  const count = (): void => {
    appended++;
    if (appended % rotationInterval === 0) setImmediate(rotate).unref(); // not within the call's transaction
  };
  rotate();
  return {
    onDecision: ({ facts, at, code, rule, grant }) => {
      const call = toAuditedCall(facts, at, code, grant, redactor);
      const args = canonicalJson(redactor.redactValue(facts.args ?? null));
      log.append({ ...call, kind: "decision", rule, args_sha256: hash("sha256", args, "hex") });
      count();
    },
    onGrant: (grant) => {
      const entry = toGivenEntry(grant);
      log.append({ ...entry, at: Math.round(entry.at), by: redactor.redactText(entry.by) });
      count();
    },
    onOutcome: ({ facts, at, grant, envelope }) => {
      const { code, attempts, duration_ms } = envelope;
      const call = toAuditedCall(facts, at, code, grant, redactor);
      log.append({ ...call, kind: "outcome", attempts, duration_ms });
      count();
    },
    close: () => {
      isOpen = false;
    },
  };
}

function toAuditedCall(
  facts: CallFacts,
  at: number,
  code: Code,
  grant: string | undefined,
  redactor: Redactor,
): AuditedCall {
  const { traceId, principal, door, tool, risk, taskId, callId, origin } = facts;
  const redact = (text: string): string => redactor.redactText(text);
  return {
    at: Math.round(at),
    trace_id: traceId,
    principal: redact(principal),
    door,
    tool,
    risk,
    task_id: taskId === undefined ? undefined : redact(taskId),
    call_id: callId === undefined ? undefined : redact(callId),
    origin: origin === undefined ? undefined : redact(origin),
    code,
    grant,
  };
}

function tryToRotate(store: Store, log: AuditLog, options: AuditOptions): void {
  const { archiveFolder, limits, now = Date.now, onTrouble } = options;
  const archive = archiveFolder === undefined ? undefined : createAuditArchive(archiveFolder);
  try {
    rotateAudit(store, log, { ...limits, now: now(), archive });
  } catch (thrown) {
    if (!(thrown instanceof StateError)) throw thrown;
    onTrouble?.(thrown);
  }
}
