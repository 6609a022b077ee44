/** Lists as the gate's tools give them: never without their count, their total and whether they are cut. */

import type { JsonObject } from "../protocol/index.ts";

export interface List<Item> {
  readonly items: readonly Item[];
  /** How many items are here. */
  readonly count: number;
  /** How many there are in all; `null` when nobody counted, and `total_reason` says why. */
  readonly total: number | null;
  readonly total_reason?: string;
  /** Whether there are more than are here. */
  readonly truncated: boolean;
}

/** What is known about the whole: its size, or why that is not known and whether there is more. */
export type Whole =
  | { readonly total: number }
  | { readonly total: null; readonly reason: string; readonly truncated: boolean };

/** Makes the list of the items that are given out. */
export function createList<Item>(items: readonly Item[], whole: Whole): List<Item> {
  const count = items.length;
  if (whole.total !== null)
    return { items, count, total: whole.total, truncated: whole.total > count };
  const { reason, truncated } = whole;
  return { items, count, total: null, total_reason: reason, truncated };
}

/** Makes the output schema of a list of such items. */
export function listSchema<const Item extends JsonObject>(items: Item, maxItems: number) {
  return {
    type: "object",
    properties: {
      items: { type: "array", items, maxItems },
      count: { type: "integer", minimum: 0, maximum: maxItems },
      total: { type: ["integer", "null"], minimum: 0 },
      total_reason: { type: "string" },
      truncated: { type: "boolean" },
    },
    required: ["items", "count", "total", "truncated"],
    additionalProperties: false,
  } as const;
}

/** Lists what an output schema lacks of a list's members; a plain array has no place for them. */
export function findListFaults({ type, properties }: JsonObject): readonly string[] {
  if (type === "array")
    return ["its output is a bare array, expected an object as listSchema() makes"];
  if (typeof properties !== "object" || properties === null || !("items" in properties)) return [];
  const missing = ["count", "total", "truncated"].filter(
    (name) => !Object.hasOwn(properties, name),
  );
  return missing.map(
    (name) => `its output has "items" without "${name}", expected a list as listSchema() makes`,
  );
}
