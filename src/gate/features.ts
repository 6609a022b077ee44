/** The features that every gate of Genkan has, in the order in which they must stand. */

import { archiveFolderOf } from "./audit-archive.ts";
import { createAuditFeature } from "./audit-feature.ts";
import type { AuditLimits } from "./audit-rotation.ts";
import type { Feature } from "./feature.ts";
import { createSecretFeature } from "./secret-feature.ts";
import { Secrets } from "./secrets.ts";
import type { StateError } from "./state-error.ts";
import { createTraceFeature } from "./trace-feature.ts";
import type { TraceLimits } from "./trace.ts";

export interface FeatureOptions {
  /** The state folder; records that leave the audit log go to the folder `audit` in it. Without one, there are no records. */
  readonly stateDir: string | undefined;
  /** Default: none. */
  readonly secrets?: Secrets;
  readonly auditLimits?: Partial<AuditLimits>;
  readonly traceLimits?: Partial<TraceLimits>;
  readonly now?: () => number;
  /** Is told when records could not leave the audit log; calls go on. */
  readonly onTrouble?: (error: StateError) => void;
}

/** Makes the audit log, the traces and the secrets, without a state the secrets alone; one redactor knows every secret and serves all three. */
export function createFeatures(options: FeatureOptions): readonly Feature[] {
  const { stateDir, auditLimits, traceLimits, now, onTrouble } = options;
  const secrets = options.secrets ?? new Secrets({}, { environment: {} });
  const { redactor } = secrets;
  const clock = now === undefined ? {} : { now };
  if (stateDir === undefined) return [createSecretFeature(secrets)];
  return [
    createAuditFeature({
      redactor,
      archiveFolder: archiveFolderOf(stateDir),
      ...(auditLimits !== undefined && { limits: auditLimits }),
      ...(onTrouble !== undefined && { onTrouble }),
      ...clock,
    }),
    createTraceFeature({
      redactor,
      ...(traceLimits !== undefined && { limits: traceLimits }),
      ...clock,
    }),
    createSecretFeature(secrets), // the last to seal: what others put into an envelope is searched too
  ];
}
