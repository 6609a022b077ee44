/** What stands on the page of an observation: the pages that its AI Overview cites, and the organic results. */

import { readCount, type Cells } from "./cells.ts";
import { closedSchema } from "./closed-schema.ts";
import type { Cleaner } from "./cleaner.ts";
import { fieldLimits, mostEvidence } from "./field-limits.ts";
import type { Reading } from "./probe.ts";
import type { EvidenceStatements } from "./statements.ts";

export type EvidenceItem = ReturnType<typeof showItem>;

export interface Evidence {
  readonly items: readonly EvidenceItem[];
  readonly total: number;
}

/** Gives the first by their position, and how many there are; none for a keyword without an observation. */
export async function readEvidence(
  reading: Reading,
  statements: EvidenceStatements,
  observation: bigint | undefined,
): Promise<Evidence> {
  if (observation === undefined) return { items: [], total: 0 };
  const { rows } = await reading.ask(statements.rows, { observation }, mostEvidence);
  const total = await reading.ask(statements.total, { observation }, 1);
  return {
    items: rows.map((cells) => showItem(reading.cleaner, cells)),
    total: readCount(total.rows[0]?.["n"]),
  };
}

function showItem(cleaner: Cleaner, cells: Cells) {
  const { position } = cells;
  return {
    position: typeof position === "number" && Number.isSafeInteger(position) ? position : null,
    ...cleaner.url(cells, "url"),
    domain: cleaner.domain(cells, "domain"),
    title: cleaner.text(cells, "title", fieldLimits.title),
  };
}

/** Says how many there are in all, and gives those that stand in `items`. */
export function toEvidenceList(items: readonly EvidenceItem[], total: number) {
  return { items, returned: items.length, total, truncated: total > items.length };
}

const text = { type: ["string", "null"] } as const;

const item = closedSchema({
  position: { type: ["integer", "null"] },
  url: { ...text, description: "Without userinfo, query and fragment; null where not shown" },
  domain: text,
  title: text,
});

const itemSchema = {
  ...item,
  properties: {
    ...item.properties,
    url_reason: { type: "string", description: "Why a URL that is stored is not shown" },
  },
} as const;

export const evidenceListSchema = closedSchema({
  items: { type: "array", maxItems: mostEvidence, items: itemSchema },
  returned: { type: "integer", minimum: 0, maximum: mostEvidence },
  total: { type: "integer", minimum: 0 },
  truncated: { type: "boolean" },
});
