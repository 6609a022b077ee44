/** Opens an existing SQLite file so that agents may read it. */

import type { Database } from "./database.ts";
import { inspectDatabase } from "./file/inspect.ts";
import { resolveSqliteLimits, type SqliteLimits } from "./limits.ts";
import { launch, readerProgram } from "./pool/launch.ts";
import { Pool } from "./pool/pool.ts";
import { ReaderProcess } from "./pool/reader-process.ts";
import type { ReaderSetup } from "./reader/request.ts";

export interface OpenOptions {
  readonly path: string;
  /** The folder that the file has to be in. Default: the one that the path names. */
  readonly root?: string;
  /** Lower limits than the defaults. */
  readonly limits?: Partial<SqliteLimits>;
  /** Is told, in a sentence, what nobody is told otherwise: that a reader had to be replaced. */
  readonly report?: (text: string) => void;
}

/** Throws a `DatabaseRefusal` that says why the file cannot be read. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { path, root } = options;
  const limits = resolveSqliteLimits(options.limits);
  const { databaseBytes, cellBytes } = limits;
  const inspection = await inspectDatabase(path, {
    databaseBytes,
    ...(root !== undefined && { root }),
  });
  const setup: Omit<ReaderSetup, "parent"> = {
    folder: undefined,
    cellBytes,
    answerBytes: 8 * 1024 ** 2,
  };
  const start = (): ReaderProcess => new ReaderProcess(launch(readerProgram, setup));
  const pool = new Pool({ inspection, root, limits, start });
  try {
    await pool.describe();
  } catch (thrown) {
    await pool[Symbol.asyncDispose]();
    throw thrown;
  }
  return pool;
}
