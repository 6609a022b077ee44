/** Shows grants: in columns for people, or as JSON. */

import type { Grant } from "../../gate/index.ts";
import { escapeJson, toPrintable } from "../../protocol/index.ts";
import { layOutRows } from "./lay-out.ts";
import { formatTime } from "./time.ts";

type Standing = "holds" | "used up" | "expired" | "revoked";

export function readStanding({ used, uses, expiresAt, revokedAt }: Grant, now: number): Standing {
  if (revokedAt !== undefined) return "revoked";
  if (used >= uses) return "used up";
  return expiresAt <= now ? "expired" : "holds";
}

export function formatGrants(grants: readonly Grant[], now: number): string {
  const rows = grants.map((grant) => {
    const { id, task, tools, origins, principal, uses, used, expiresAt, givenBy, reason } = grant;
    return [
      id,
      readStanding(grant, now),
      toPrintable(task, 100),
      toPrintable(tools.join(","), 200),
      origins.length === 0 ? "any origin" : toPrintable(origins.join(","), 200),
      principal === undefined ? "anybody" : toPrintable(principal, 100),
      `${used} of ${uses} used`,
      `until ${formatTime(expiresAt)}`,
      `by ${toPrintable(givenBy, 100)}: ${toPrintable(reason, 200)}`,
    ];
  });
  return layOutRows(rows).join("\n");
}

/** Gives one line of JSON; times are ISO 8601, in UTC. */
export function formatGrantJson(grant: Grant, now: number): string {
  const { givenAt, expiresAt, revokedAt, ...rest } = grant;
  return escapeJson(
    JSON.stringify({
      ...rest,
      standing: readStanding(grant, now),
      givenAt: toIso(givenAt),
      expiresAt: toIso(expiresAt),
      revokedAt: revokedAt === undefined ? undefined : toIso(revokedAt),
    }),
  );
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
