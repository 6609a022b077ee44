/** Finds out what a database lacks: without an index an answer is right all the same, and takes longer as the database grows. */

import { UsageError } from "../protocol/index.ts";
import type { Database } from "../sqlite/index.ts";
import type { Statements } from "./statements.ts";

/** Gives a sentence for each table that would be read whole. Throws a `UsageError` for a database that cannot be asked at all. */
export async function findMissingIndexes(
  database: Database,
  statements: Statements,
): Promise<readonly string[]> {
  const lacking = new Set<keyof typeof helpful>();
  for (const sql of listFinding(statements)) {
    const { refusal, plan } = await database.examine(sql);
    if (refusal !== undefined)
      throw new UsageError(
        "wrong-schema",
        `Cannot use "${database.path}": SQLite says "${refusal}", expected tables that can be read`,
      );
    for (const line of plan) {
      const table = /^SCAN (\w+)/.exec(line)?.[1] ?? "";
      if (isTable(table)) lacking.add(table);
    }
  }
  return [...lacking].map(
    (table) =>
      `"${database.path}" has to be read whole in its table ${table} for some answers, which take longer as it grows: expected an index, such as ${helpful[table]}`,
  );
}

/** What finds it: the tables of a new database have it. */
const helpful = {
  runs: "CREATE INDEX runs_by_end ON runs (status, completed_at, started_at)",
  run_keywords: "CREATE INDEX run_keywords_by_id ON run_keywords (run_id, keyword_id)",
  keywords: "CREATE UNIQUE INDEX keywords_by_text ON keywords (keyword)",
  observations:
    "CREATE INDEX observations_by_run ON observations (run_id, keyword_id, fetched_at, id, status, aio_present)",
  citations: "CREATE INDEX citations_by_place ON citations (observation_id, position)",
  organic_results:
    "CREATE INDEX organic_results_by_place ON organic_results (observation_id, position)",
} as const;

function isTable(name: string): name is keyof typeof helpful {
  return Object.hasOwn(helpful, name);
}

/** Those that find something; the others read a part that these find, or the keywords of today as a whole. */
function listFinding(statements: Statements): readonly string[] {
  const { run, observation, citations, organicResults, snapshot, current } = statements;
  const byText = snapshot === undefined ? [] : [snapshot.byText];
  const { tally } = snapshot ?? current;
  return [run, observation, citations.rows, organicResults.rows, tally, ...byText, current.byText];
}
