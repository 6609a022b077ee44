/** Where the keywords of a run are read: as they were when it started, or as they are today. */

import type { Reading } from "./probe.ts";
import type { KeywordStatements } from "./statements.ts";

export interface RunKeywords {
  readonly from: KeywordsFrom;
  readonly statements: KeywordStatements;
}

const sources = ["snapshot", "current"] as const;
export type KeywordsFrom = (typeof sources)[number];

export const keywordsFromSchema = {
  enum: sources,
  description:
    "Whether keywords and buckets are those that the run started with (snapshot) or those of today (current)",
} as const;

/** A run without a snapshot is read with the keywords of today: the run, or its whole database, is older than snapshots. */
export async function findKeywords(reading: Reading, run: bigint): Promise<RunKeywords> {
  const { snapshot, current } = reading.probe.statements;
  if (snapshot === undefined) return { from: "current", statements: current };
  const { rows } = await reading.ask(snapshot.any, { run }, 1);
  return rows.length > 0
    ? { from: "snapshot", statements: snapshot }
    : { from: "current", statements: current };
}

export const warningOfCurrent =
  "The keywords and buckets are those of today, as no snapshot of them was kept: they may have changed since the run";
