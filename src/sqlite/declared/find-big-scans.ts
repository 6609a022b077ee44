/** Warns of statements that may read all of a big table. */

import type { Database } from "../database.ts";
import type { PlannedScan } from "./find-scans.ts";

/** From how many rows on a table is big: to read fewer takes milliseconds. */
export const bigTableRows = 10_000;

/** Gives a sentence for each; counts no further than it has to. Throws a `QueryError`. */
export async function findBigScans(
  database: Database,
  scans: readonly PlannedScan[],
): Promise<readonly string[]> {
  const sentences: string[] = [];
  for (const { table, line } of scans) {
    if (!(await isBig(database, table))) continue;
    sentences.push(
      `it may read all of "${table}", which has more than ${bigTableRows} rows, expected an index that serves it; the plan says: ${line}`,
    );
  }
  return sentences;
}

async function isBig(database: Database, table: string): Promise<boolean> {
  const name = `"${table.replaceAll('"', '""')}"`;
  const { rows } = await database.read((ask) =>
    ask({
      sql: `SELECT count(*) FROM (SELECT 1 FROM ${name} LIMIT ${bigTableRows + 1})`,
      maxRows: 1,
      allows: { tables: [table] },
    }),
  );
  return rows[0]?.[0] === bigTableRows + 1;
}
