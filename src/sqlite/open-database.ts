/** Opens an existing SQLite file so that agents may read it. */

import { resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { UsageError } from "../protocol/index.ts";
import { loadCheck } from "../server/index.ts";
import { Crew } from "./crew.ts";
import type { Database } from "./database.ts";
import { shellWord } from "./file/refusals.ts";
import { resolveSqliteLimits, type SqliteLimits } from "./limits.ts";
import { Pool } from "./pool/pool.ts";
import { QueryError } from "./query-error.ts";

export interface OpenOptions {
  readonly path: string;
  /** The folder that the file has to be in. Default: the one that the path names. */
  readonly root?: string;
  /** Lower limits than the defaults. */
  readonly limits?: Partial<SqliteLimits>;
  /** Processes that have been started already, for the first database that can have them. */
  readonly crew?: Crew | undefined;
  /** Is told, in a sentence, what the person who runs this should know: that a reader died, and of what. */
  readonly report?: (text: string) => void;
}

/**
 * Starts a first reader and looks at the file. Throws a `DatabaseRefusal` that says why the file cannot be read, and a
 * `UsageError` where no reader can be started.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { report = () => {} } = options;
  // From here: the processes that read it run elsewhere.
  const path = resolve(options.path);
  const root = options.root === undefined ? undefined : resolve(options.root);
  const limits = resolveSqliteLimits(options.limits);
  const { cellBytes } = limits;
  const crew = options.crew?.take(cellBytes) === true ? options.crew : new Crew(cellBytes);
  await using opening = new AsyncDisposableStack();
  try {
    const pool = new Pool({
      path,
      root,
      limits,
      folder: crew.folder,
      report,
      startReader: () => crew.startReader(),
      startScout: () => crew.startScout(),
    });
    opening.use(pool);
    await Promise.all([pool.open(), readyChecks()]);
    opening.move();
    return pool;
  } catch (thrown) {
    throw thrown instanceof QueryError ? cannotOpen(path, thrown) : thrown;
  }
}

/** While the processes come up nobody has anything to do: what checks arguments and answers is loaded, not by the first call. */
async function readyChecks(): Promise<void> {
  await setImmediate(); // processes that have come up are asked first: they work while this one loads
  for (const side of ["input", "output"] as const) await loadCheck({}, {}, side);
}

function cannotOpen(path: string, error: QueryError): UsageError {
  const { kind, message, cause } = error;
  const detail = cause instanceof Error ? ` (${cause.message})` : "";
  const is = `${message.charAt(0).toLowerCase()}${message.slice(1)}${detail}`;
  const what = `Cannot open ${JSON.stringify(path)}: ${is}`;
  const whose = `lsof ${shellWord(path)} tells which; let it finish, or stop it, and start again`;
  const hint = error.hint ?? (kind === "busy" ? whose : undefined);
  return new UsageError("cannot-open-database", what, {
    ...(hint !== undefined && { hint }),
    cause: error,
  });
}
