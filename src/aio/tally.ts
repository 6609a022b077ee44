/** Counts what a run saw, keyword by keyword: the same count for every tool. */

import { readCount } from "./cells.ts";
import { isOutcome } from "./outcomes.ts";
import type { Reading } from "./probe.ts";
import { addOutcome, addTallies, emptyTally, type Tally } from "./rates.ts";
import { findKeywords, type KeywordsFrom } from "./run-keywords.ts";
import { place } from "./statements.ts";

export interface RunTally {
  readonly keywordsFrom: KeywordsFrom;
  /** All four, in their order. */
  readonly buckets: readonly { readonly bucket: string; readonly tally: Tally }[];
  /** Keywords in another bucket, and in none. */
  readonly otherBucket: Tally;
  readonly noBucket: Tally;
  /** Every observation that is stored for the run. */
  readonly observations: number;
  /** Observations of a keyword that has a later one in the same run. */
  readonly older: number;
  /** Observations that no keyword of the run belongs to. */
  readonly outside: number;
  /** Rows of keywords that have another row in the same run. */
  readonly copies: number;
}

export async function tallyRun(reading: Reading, run: bigint): Promise<RunTally> {
  const { from, statements } = await findKeywords(reading, run);
  const parameters = { run, ...bindBuckets(reading.probe.buckets) };
  const targets = await reading.ask(statements.targets, parameters, mostGroups);
  const tallies = new Map<number, Tally>();
  const at = (where: number): Tally => tallies.get(where) ?? emptyTally;
  let copies = 0;
  for (const cells of targets.rows) {
    const n = readCount(cells["n"]);
    tallies.set(readCount(cells["place"]), { ...emptyTally, targets: n });
    copies += readCount(cells["copies"]) - n;
  }
  const tally = copies === 0 ? statements.tally : statements.tallyOnce;
  const seen = await reading.ask(tally, parameters, mostGroups);
  const sums = { observations: 0, older: 0, outside: 0 };
  for (const cells of seen.rows) {
    const { outcome } = cells;
    const where = readCount(cells["place"]);
    const n = readCount(cells["n"]);
    sums.observations += n;
    if (outcome === "older") sums.older += n;
    else if (where === place.outside) sums.outside += n;
    else if (isOutcome(outcome)) tallies.set(where, addOutcome(at(where), outcome, n));
  }
  return {
    keywordsFrom: from,
    buckets: reading.probe.buckets.map((bucket, index) => ({ bucket, tally: at(index + 1) })),
    otherBucket: at(place.otherBucket),
    noBucket: at(place.noBucket),
    copies,
    ...sums,
  };
}

/** Adds up all keywords of the run, whatever their bucket. */
export function sumKeywords({ buckets, otherBucket, noBucket }: RunTally): Tally {
  return [...buckets.map(({ tally }) => tally), otherBucket, noBucket].reduce(addTallies);
}

function bindBuckets(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name, index) => [`bucket${index + 1}`, name]));
}

/** Seven places, and in each at most six words for an observation. */
const mostGroups = 42;
