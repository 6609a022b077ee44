/** Opens an aio-probe database and makes its three tools. */

import type { GateTool } from "../gate/index.ts";
import type { Database } from "../sqlite/database.ts";
import type { SqliteLimits } from "../sqlite/limits.ts";

export interface AioOptions {
  /** The database; it must be there. */
  readonly path: string;
  /** The folder that a symbolic link may not lead out of. Default: the folder of the file. */
  readonly root?: string;
  /** Limits go downwards only. */
  readonly limits?: Partial<SqliteLimits>;
  /** Four names, in the order in which they are told. Default: `defaultBuckets`. */
  readonly buckets?: readonly string[];
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
export async function openAio(_options: AioOptions): Promise<Aio> {
  throw new Error("openAio() waits for openDatabase()");
}
