/** What a run saw for one keyword: the observation that counts, in words that the database has no part in. */

import { readCount, readInteger } from "./cells.ts";
import { closedSchema } from "./closed-schema.ts";
import { fieldLimits } from "./field-limits.ts";
import { idSchema, showId } from "./ids.ts";
import { isOutcome, notObserved, outcomeNames, outcomes } from "./outcomes.ts";
import type { Reading } from "./probe.ts";

/** Gives the observation that counts: of several in one run the last, by the time it was fetched at, then by its id. */
export async function findObservation(reading: Reading, run: bigint, keyword: bigint) {
  const { rows } = await reading.ask(reading.probe.statements.observation, { run, keyword }, 1);
  const [cells] = rows;
  const id = readInteger(cells?.["id"]);
  if (cells === undefined || id === undefined)
    return {
      id: undefined,
      shown: { outcome: "not_observed", meaning: notObserved, observation: null },
    } as const;
  const outcome = isOutcome(cells["outcome"]) ? cells["outcome"] : "unknown_status";
  const { status, aio_present, meaning } = outcomes[outcome];
  const fetched_at = reading.cleaner.text(cells, "fetched_at", fieldLimits.time);
  const older = readCount(cells["n"]) - 1;
  if (older > 0)
    reading.warn(`Older observations of this keyword in this run, which do not count: ${older}`);
  const observation = { observation_id: showId(id), status, aio_present, fetched_at, older };
  return { id, shown: { outcome, meaning, observation } };
}

const meanings = [...outcomeNames.map((name) => outcomes[name].meaning), notObserved] as const;

export const observationMembers = {
  outcome: { enum: [...outcomeNames, "not_observed"] },
  meaning: { enum: meanings },
  observation: {
    anyOf: [
      closedSchema({
        observation_id: idSchema,
        status: { enum: ["ok", "failed", "other"] },
        aio_present: { type: ["boolean", "null"], description: "null where nobody knows" },
        fetched_at: { type: ["string", "null"] },
        older: { type: "integer", minimum: 0, description: "Earlier ones in this run" },
      }),
      { type: "null" },
    ],
  },
} as const;
