/** An open aio-probe database, as its tools ask it. */

import {
  QueryError,
  toToolFailure,
  type Answer,
  type Ask,
  type Database,
  type Parameter,
} from "../sqlite/index.ts";
import { ToolFailure, type GateCall } from "../gate/index.ts";
import { toCells, type Cells } from "./cells.ts";
import { createCleaner, type Cleaner } from "./cleaner.ts";
import { sizeOf } from "./fit-items.ts";
import type { Statements } from "./statements.ts";

export interface Probe {
  readonly database: Database;
  readonly statements: Statements;
  /** Four names, in the order in which they are told. */
  readonly buckets: readonly string[];
}

/** One reading of one state of the database. */
export interface Reading {
  readonly probe: Probe;
  readonly cleaner: Cleaner;
  /** Gives at most `maxRows` rows of one of the probe's statements, to be shown. */
  readonly ask: AskRows;
  /** The same for rows that are only looked through: what cleaning takes out of them is not counted. */
  readonly scan: AskRows;
  /** Says something beside the result. */
  readonly warn: (text: string) => void;
  /** How large the result may be: the gate has a limit, and the operator of the database. */
  readonly resultBytes: number;
}

export type AskRows = (sql: string, parameters: Parameters, maxRows: number) => Promise<Rows>;

export type Parameters = Readonly<Record<string, Parameter>>;

export interface Rows {
  readonly rows: readonly Cells[];
  readonly hasMore: boolean;
}

/**
 * Answers a call from one state of the database; where the file changes meanwhile, `work` is done anew on the new one.
 *
 * Throws a `ToolFailure` for what `work` could not make small enough.
 */
export async function readProbe<Result extends object>(
  probe: Probe,
  call: GateCall,
  work: (reading: Reading) => Promise<Result>,
): Promise<Result> {
  const resultBytes = Math.min(call.limits.resultBytes, probe.database.limits.resultBytes);
  try {
    const { told, warnings } = await probe.database.read(
      (ask) => readOnce({ probe, ask, resultBytes }, work),
      { signal: call.signal },
    );
    for (const warning of warnings) call.warn(warning);
    refuseLarge(told, resultBytes);
    return told;
  } catch (thrown) {
    if (thrown instanceof QueryError) throw toFailure(thrown);
    throw thrown;
  }
}

function refuseLarge(told: object, resultBytes: number): void {
  const bytes = sizeOf(told);
  if (bytes <= resultBytes) return;
  const what = `The result has ${bytes} bytes, and may have ${resultBytes} (resultBytes)`;
  throw new ToolFailure("result_too_large", what, {
    hint: "Tell the person that the limit resultBytes of this database is too low for it",
    effect: "none",
  });
}

/** The statements were right when the database was opened. */
function toFailure(error: QueryError): ToolFailure {
  if (error.kind !== "refused" || error.hint !== undefined) return toToolFailure(error);
  const hint =
    "Tell the person that the tables may have changed since this server was started: it has to be started again";
  const { message } = error;
  return toToolFailure(new QueryError(error.kind, message, { hint, cause: error }));
}

async function readOnce<Result>(
  { probe, ask, resultBytes }: Pick<Reading, "probe" | "resultBytes"> & { readonly ask: Ask },
  work: (reading: Reading) => Promise<Result>,
): Promise<{ readonly told: Result; readonly warnings: readonly string[] }> {
  const cleaner = createCleaner();
  const said: string[] = [];
  const askFor = (sql: string, parameters: Parameters, maxRows: number): Promise<Answer> =>
    ask({ sql, parameters, maxRows, allows: whatToolsRead });
  const told = await work({
    probe,
    cleaner,
    ask: async (...query) => {
      const answer = await askFor(...query);
      cleaner.note(answer.removed);
      return toRows(answer);
    },
    scan: async (...query) => toRows(await askFor(...query)),
    warn: (text) => said.push(text),
    resultBytes,
  });
  return { told, warnings: [...said, ...cleaner.describe()] };
}

function toRows(answer: Answer): Rows {
  return { rows: toCells(answer), hasMore: answer.hasMore };
}

/** No statement names what is masked; SQLite would give NULL for it to one that did. */
const whatToolsRead = {
  tables: ["runs", "keywords", "run_keywords", "observations", "citations", "organic_results"],
  masked: [
    { table: "observations", column: "error_text" },
    { table: "observations", column: "raw_path" },
  ],
} as const;
