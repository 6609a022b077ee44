/** Every statement that the aio tools run: nothing else is ever asked of the database, and no word of a caller stands in one. */

import { fieldLimits, hostLimit, rawUrlLimit } from "./field-limits.ts";

/** What a file has beside what every aio-probe database must have. */
export interface Layout {
  /** Whether there is a table of the keywords as they were when a run started. */
  readonly hasSnapshots: boolean;
  /** Which columns of `runs` that only describe a run are there. */
  readonly runDetails: readonly RunDetail[];
}

export const runDetails = ["engine", "locale", "device", "location", "note"] as const;
export type RunDetail = (typeof runDetails)[number];

export interface Statements {
  /** One run: the one with the id `:run`, or the default where that is NULL. */
  readonly run: string;
  /** The id of the default run. */
  readonly defaultRun: string;
  /** Runs up to the id `:last`, the highest first. */
  readonly runs: string;
  /** How many runs there are, counted up to a bound. */
  readonly runCount: string;
  /** The observation of `:keyword` in `:run` that counts, and how many there are. */
  readonly observation: string;
  readonly citations: EvidenceStatements;
  readonly organicResults: EvidenceStatements;
  /** The keywords as they were when the run started; `undefined` where no table has them. */
  readonly snapshot: KeywordStatements | undefined;
  /** The keywords as they are now. */
  readonly current: KeywordStatements;
}

/** What is asked of the keywords, wherever they stand. */
export interface KeywordStatements {
  /** Whether `:run` has any. */
  readonly any: string;
  /** Keywords of `:run` by their place among the buckets, and how many rows they have: as many, where each has one. */
  readonly targets: string;
  /** Observations of `:run` by the place of their keyword and by what they say. */
  readonly tally: string;
  /** The same where a keyword has several rows, as in a table without a key: it has one place, the first of theirs. */
  readonly tallyOnce: string;
  /** The keyword whose text is exactly `:keyword`. */
  readonly byText: string;
  readonly byId: string;
  /** Keywords from the id `:from` on, for a search that SQL cannot do. */
  readonly page: string;
}

export interface EvidenceStatements {
  readonly rows: string;
  readonly total: string;
}

/** How far runs are counted. */
export const mostRunsCounted = 10_000;

/** Where a keyword stands: outside the run's keywords, in one of the four buckets (1 to 4), in another, or in none. */
export const place = { outside: 0, otherBucket: 5, noBucket: 6 } as const;

/** Each column is named as it is read here: SQLite gives the name in the letters of whoever made the table. */
export function makeStatements(layout: Layout): Statements {
  const details = layout.runDetails
    .map((name) => `, ${readText(name, fieldLimits[name])}`)
    .join("");
  const runColumns = `id AS id, ${readText("status", fieldLimits.status)}, ${readText("started_at", fieldLimits.time)},
    ${readText("completed_at", fieldLimits.time)}${details}, ${isCompleted} AS is_completed, ${hasObservation} AS has_observation`;
  return {
    run: `SELECT ${runColumns}, (${defaultRun}) AS default_id FROM runs
      WHERE id = coalesce(:run, (${defaultRun}))`,
    defaultRun,
    runs: `SELECT ${runColumns} FROM runs WHERE id <= :last AND typeof(id) = 'integer' ORDER BY id DESC`,
    runCount: `SELECT count(*) AS n FROM (SELECT 1 FROM runs LIMIT ${mostRunsCounted + 1})`,
    observation: `SELECT id AS id, CASE ${outcomeCases} END AS outcome, ${readText("fetched_at", fieldLimits.time)},
      (SELECT count(*) FROM observations WHERE run_id = :run AND keyword_id = :keyword) AS n
      FROM observations WHERE run_id = :run AND keyword_id = :keyword ORDER BY observations.fetched_at DESC, id DESC`,
    citations: makeEvidence("citations"),
    organicResults: makeEvidence("organic_results"),
    snapshot: layout.hasSnapshots
      ? makeKeywords("run_keywords", "keyword_id", "run_keywords.run_id = :run")
      : undefined,
    current: makeKeywords("keywords", "id", ":run IS NOT NULL"), // that they are the same for every run
  };
}

/**
 * Whoever writes 'None' for a missing time has not completed the run: a time begins with a digit. In a column of DATETIME SQLite
 * reads '0' as a number, and every text is more than that, also one of nothing.
 */
const isCompleted = `status = 'completed' AND completed_at >= '0' AND completed_at < ':' AND substr(completed_at, 1, 1) >= '0'`;

const hasObservation = "EXISTS (SELECT 1 FROM observations WHERE observations.run_id = runs.id)";

/** Without a key an id may be anything, and nobody could name such a run. */
const defaultRun = `SELECT id AS id FROM runs WHERE ${isCompleted} AND typeof(id) = 'integer' AND ${hasObservation}
  ORDER BY completed_at DESC, started_at DESC, id DESC LIMIT 1`;

const outcomeCases = `WHEN status = 'failed' THEN 'failed'
  WHEN status = 'ok' AND aio_present = 1 THEN 'aio'
  WHEN status = 'ok' AND aio_present = 0 THEN 'no_aio'
  WHEN status = 'ok' THEN 'unclear' ELSE 'unknown_status'`;

/** Columns are grouped by their number: a name would be that of a column which somebody has added to the table. */
const byPlace = "GROUP BY 1";
const byPlaceAndOutcome = "GROUP BY 1, 2";

/** Of several observations of one keyword all but the last are `older`: by the time they were fetched at, then by their id. */
const seen = `SELECT keyword_id, CASE
  WHEN lead(1) OVER (PARTITION BY run_id, keyword_id ORDER BY fetched_at, id) IS NOT NULL THEN 'older'
  ${outcomeCases} END AS outcome FROM observations WHERE run_id = :run`;

function makeKeywords(table: string, id: string, ofRun: string): KeywordStatements {
  const bucketCases = `WHEN bucket IS NULL THEN ${place.noBucket} WHEN bucket = :bucket1 THEN 1 WHEN bucket = :bucket2 THEN 2
    WHEN bucket = :bucket3 THEN 3 WHEN bucket = :bucket4 THEN 4 ELSE ${place.otherBucket}`;
  const columns = `${id} AS id, ${readText("keyword", fieldLimits.keyword)}, ${readText("bucket", fieldLimits.bucket)}`;
  const placed = `SELECT ${table}.${id} AS id, min(CASE ${bucketCases} END) AS place, count(*) AS copies FROM ${table}
    WHERE ${ofRun} GROUP BY ${table}.${id}`;
  return {
    any: `SELECT 1 AS n FROM ${table} WHERE ${ofRun}`,
    targets: `SELECT place, count(*) AS n, sum(copies) AS copies FROM (${placed}) ${byPlace}`,
    tally: `SELECT CASE WHEN ${table}.${id} IS NULL THEN ${place.outside} ${bucketCases} END AS place, seen.outcome AS outcome, count(*) AS n
      FROM (${seen}) AS seen LEFT JOIN ${table} ON ${ofRun} AND ${table}.${id} = seen.keyword_id ${byPlaceAndOutcome}`,
    tallyOnce: `SELECT coalesce(placed.place, ${place.outside}) AS place, seen.outcome AS outcome, count(*) AS n
      FROM (${seen}) AS seen LEFT JOIN (${placed}) AS placed ON placed.id = seen.keyword_id ${byPlaceAndOutcome}`,
    byText: `SELECT ${columns} FROM ${table} WHERE ${ofRun} AND keyword = :keyword ORDER BY ${id}`,
    byId: `SELECT ${columns} FROM ${table} WHERE ${ofRun} AND ${id} = :id`,
    page: `SELECT ${id} AS id, ${readText("keyword", fieldLimits.keyword)} FROM ${table}
      WHERE ${ofRun} AND ${id} >= :from AND typeof(${id}) = 'integer' ORDER BY ${id}`,
  };
}

function makeEvidence(table: string): EvidenceStatements {
  return {
    rows: `SELECT position AS position, ${readText("url", rawUrlLimit)}, ${readText("domain", hostLimit)},
      ${readText("title", fieldLimits.title)} FROM ${table} WHERE observation_id = :observation
      ORDER BY position, ${table}.url, ${table}.domain, ${table}.title`,
    total: `SELECT count(*) AS n FROM ${table} WHERE observation_id = :observation`,
  };
}

/** Reads no more of a text than is given out, and whether there is more: one of a megabyte costs what one of a line costs. */
function readText(column: string, limit: number): string {
  const start = `substr(${column}, 1, ${limit})`;
  return `${start} AS ${column}, octet_length(${column}) > octet_length(${start}) AS ${column}_cut`;
}
