/** Opens an aio-probe database and makes its three tools. */

import type { GateTool } from "../gate/index.ts";
import { UsageError } from "../protocol/index.ts";
import {
  expectTables,
  openDatabase,
  type Crew,
  type Database,
  type SqliteLimits,
} from "../sqlite/index.ts";
import { expectations, readLayout } from "./expectations.ts";
import { findMissingIndexes } from "./missing-indexes.ts";
import type { Probe } from "./probe.ts";
import { makeStatements } from "./statements.ts";
import { defaultBuckets } from "./tables.ts";
import { createCompareBuckets } from "./tools/compare-buckets.ts";
import { createGetKeywordEvidence } from "./tools/get-keyword-evidence.ts";
import { createListRuns } from "./tools/list-runs.ts";

export interface AioOptions {
  /** The database; it must be there. */
  readonly path: string;
  /** The folder that a symbolic link may not lead out of. Default: the folder of the file. */
  readonly root?: string;
  /** Limits go downwards only. */
  readonly limits?: Partial<SqliteLimits>;
  /** Four names, in the order in which they are told. Default: `defaultBuckets`. */
  readonly buckets?: readonly string[];
  /** Processes that have been started already. */
  readonly crew?: Crew | undefined;
  /** Is told, once for each thing, what the person who runs this should know, such as an index that is missing. */
  readonly report?: (text: string) => void;
}

export interface Aio {
  /** `list_runs`, `compare_buckets` and `get_keyword_evidence`. */
  readonly tools: readonly GateTool[];
  readonly database: Database;
  /** Ends the processes that read the database. */
  close(): Promise<void>;
}

/** Throws a `UsageError` for a file that is no aio-probe database, and for buckets that are not four. */
export async function openAio(options: AioOptions): Promise<Aio> {
  const { path, root, limits, buckets = defaultBuckets, crew, report = () => {} } = options;
  checkBuckets(buckets);
  const database = await openDatabase({
    path,
    crew,
    report,
    ...(root !== undefined && { root }),
    ...(limits !== undefined && { limits }),
  });
  try {
    const probe = await readyProbe(database, buckets, report);
    return {
      tools: [createListRuns(probe), createCompareBuckets(probe), createGetKeywordEvidence(probe)],
      database,
      close: async () => database[Symbol.asyncDispose](),
    };
  } catch (thrown) {
    await database[Symbol.asyncDispose]();
    throw thrown;
  }
}

function checkBuckets(buckets: readonly string[]): void {
  const fits = buckets.every((name) => name !== "" && name.length <= 100);
  if (buckets.length === 4 && new Set(buckets).size === 4 && fits) return;
  const what = `Cannot compare the buckets ${JSON.stringify(buckets)}: expected four different names of 1 to 100 characters`;
  throw new UsageError("invalid-buckets", what, { hint: JSON.stringify(defaultBuckets) });
}

const otherShape =
  "docs/aio-probe.md has the schema; for tables of another shape, declare tools with kind: sqlite (docs/sqlite.md)";

async function readyProbe(
  database: Database,
  buckets: readonly string[],
  report: (text: string) => void,
): Promise<Probe> {
  const schema = await database.describe();
  expectTables(schema, expectations, database.path, otherShape);
  const statements = makeStatements(readLayout(schema));
  for (const text of await findMissingIndexes(database, statements)) report(text);
  return { database, statements, buckets };
}
