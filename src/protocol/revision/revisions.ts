/** The revisions Genkan speaks, newest first, and how one is found and offered. */

import { revision as revision20241105 } from "./2024-11-05.ts";
import { revision as revision20250326 } from "./2025-03-26.ts";
import { revision as revision20250618 } from "./2025-06-18.ts";
import { revision as revision20251125 } from "./2025-11-25.ts";
import { revision as revision20260728 } from "./2026-07-28.ts";
import type { Revision } from "./revision.ts";

export const revisions: readonly Revision[] = [
  revision20260728,
  revision20251125,
  revision20250618,
  revision20250326,
  revision20241105,
];

export const latestStateless: Revision = revision20260728;
export const latestHandshake: Revision = revision20251125;

/** The versions of one era, or of both, newest first. */
export function versionsOf(era?: Revision["era"]): readonly string[] {
  return revisions
    .filter((revision) => era === undefined || revision.era === era)
    .map((revision) => revision.version);
}

/** Finds a revision by the date that names it. */
export function findRevision(version: unknown): Revision | undefined {
  return revisions.find((revision) => revision.version === version);
}

/**
 * Gives the revision with which a server answers `initialize`: the requested one, or its own latest as a counter-offer.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation
 */
export function negotiateHandshake(requested: unknown): Revision {
  const revision = findRevision(requested);
  return revision?.era === "handshake" ? revision : latestHandshake;
}
