/** Makes the sample: a public database of aio-probe, the same bytes for the same numbers and the same SQLite. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { UsageError } from "../../protocol/index.ts";
import { createDatabase } from "../create-database.ts";
import { sampleId } from "../tables.ts";
import { createKeywords, type SampleKeyword } from "./keywords.ts";
import { choosePage, createCitations, createOrganic, type SampleLink } from "./pages.ts";
import { createRandom, type Pick } from "./random.ts";
import { createRuns, keywordMs, type SampleRun } from "./runs.ts";

export interface SampleOptions {
  /** Default: 8. */
  readonly runs?: number;
  /** Default: 200. */
  readonly keywords?: number;
}

export interface SampleSummary {
  readonly runs: number;
  readonly keywords: number;
  readonly observations: number;
}

/** The most of each: what a door opens is at most 512 MiB, and the largest sample fits in. */
export const sampleLimits = { runs: 1_000, keywords: 100_000, observations: 1_200_000 } as const;

/** What a search saw is kept for the newest so many observations, as somebody would who has seen the size of it all. */
const keptPages = 120_000;

/** Throws a `UsageError` for a path where something is, and for numbers out of bounds. */
export function createSample(path: string, options: SampleOptions = {}): SampleSummary {
  const { runs: runCount = 8, keywords: keywordCount = 200 } = options;
  check("runs", runCount, sampleLimits.runs);
  check("keywords", keywordCount, sampleLimits.keywords);
  check("observations", runCount * keywordCount, sampleLimits.observations);
  const keywords = createKeywords(keywordCount);
  const runs = createRuns(runCount, keywordCount);
  let observations = 0;
  createDatabase(path, (database) => {
    database.exec(`PRAGMA application_id = ${sampleId}`);
    const writer = prepareWriter(database);
    const pick = createRandom(runCount * 31 + keywordCount);
    for (const { id, text, now } of keywords) writer.keyword.run(id, text, now);
    const kept = sharePages(runs);
    for (const run of runs)
      observations += writeRun(writer, pick, run, keywords, {
        first: observations + 1,
        kept: kept.get(run.id) ?? 0,
        half: runCount / 2,
      });
  });
  return { runs: runCount, keywords: keywordCount, observations };
}

function check(name: keyof typeof sampleLimits, value: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return;
  const what = `Cannot make a sample of ${value} ${name}, expected a whole number from 1 to ${most}`;
  throw new UsageError("bad-sample", what, { hint: "--runs 8 --keywords 200" });
}

type Writer = Readonly<
  Record<"run" | "keyword" | "target" | "page" | "citation" | "organic", StatementSync>
>;

function prepareWriter(database: DatabaseSync): Writer {
  const insert = (table: string, count: number): StatementSync =>
    database.prepare(
      `INSERT INTO ${table} VALUES (${Array.from({ length: count }, () => "?").join(", ")})`,
    );
  return {
    run: insert("runs", 9),
    keyword: insert("keywords", 3),
    target: insert("run_keywords", 4),
    page: insert("observations", 8),
    citation: insert("citations", 5),
    organic: insert("organic_results", 5),
  };
}

/** Says of how many pages of each run is kept what they showed, the newest run first. */
function sharePages(runs: readonly SampleRun[]): ReadonlyMap<number, number> {
  let left = keptPages;
  return new Map(
    runs.toReversed().map(({ id, reached }) => {
      const kept = Math.min(left, reached);
      left -= kept;
      return [id, kept];
    }),
  );
}

interface RunPlace {
  /** The number of its first observation. */
  readonly first: number;
  readonly kept: number;
  /** Where the buckets change: runs up to here have the earlier ones. */
  readonly half: number;
}

/** Gives the number of observations. */
function writeRun(
  writer: Writer,
  pick: Pick,
  run: SampleRun,
  keywords: readonly SampleKeyword[],
  { first, kept, half }: RunPlace,
): number {
  const { id, startedAt, completedAt, status, device, location, note, reached } = run;
  const end = completedAt === null ? null : toIso(completedAt);
  writer.run.run(id, toIso(startedAt), end, status, "google", "ja-JP", device, location, note);
  const targets = keywords.filter((keyword) => isAskedFor(keyword, id));
  for (const { id: keyword, text, before, now } of targets)
    writer.target.run(id, keyword, text, id <= half ? before : now);
  const seen = targets.slice(0, reached);
  for (const [index, keyword] of seen.entries()) {
    const number = first + index;
    const { status: outcome, hasOverview, error } = choosePage(pick, run, keyword);
    const isKept = index < kept;
    const path = isKept && outcome === "ok" ? `/srv/aio-probe/raw/${id}/${keyword.id}.json` : null;
    const at = toIso(startedAt + (index + 1) * keywordMs);
    const overview = hasOverview === null ? null : Number(hasOverview);
    writer.page.run(number, id, keyword.id, outcome, overview, at, error, path);
    if (!isKept || outcome !== "ok") continue;
    const organic = createOrganic(pick, keyword);
    writeLinks(writer.organic, number, organic);
    if (hasOverview === true)
      writeLinks(writer.citation, number, createCitations(pick, keyword, organic));
  }
  return seen.length;
}

/** A list of keywords grows: some are not asked for before the second run. */
function isAskedFor({ id }: SampleKeyword, run: number): boolean {
  return run > 1 || id % 13 !== 12;
}

function writeLinks(insert: StatementSync, page: number, links: readonly SampleLink[]): void {
  for (const [index, { url, domain, title }] of links.entries())
    insert.run(page, index + 1, url, domain, title);
}

/** Without the milliseconds, which are always 0. */
function toIso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
