/** A SQLite file that agents may read and nobody here can write. */

import type { SqliteLimits } from "./limits.ts";
import type { Allowance, Answer, Query } from "./query.ts";

export interface Database extends AsyncDisposable {
  /** The file, from the root. */
  readonly path: string;
  readonly limits: SqliteLimits;
  /** How it is read just now: "in-place" without a lock, or from a private "copy". */
  readonly way: "in-place" | "copy";
  /**
   * Reads one state of the database: all that `work` asks is answered from it. Where the file changes meanwhile, `work` runs
   * again on the new state, so it does nothing but ask.
   *
   * Throws a `QueryError`. An aborted signal kills the running query.
   */
  read<Result>(work: (ask: Ask) => Promise<Result>, options?: ReadOptions): Promise<Result>;
  /** Says what stands in the file, without a word of its contents. */
  describe(options?: ReadOptions): Promise<Schema>;
  /** Says what a statement would read, without running it. */
  examine(sql: string, options?: ExamineOptions): Promise<Examination>;
}

export type Ask = (query: Query) => Promise<Answer>;

export interface ReadOptions {
  readonly signal?: AbortSignal;
}

export interface ExamineOptions extends ReadOptions {
  /** The columns that will be masked when it runs; all else is said of the statement as it stands. */
  readonly masked?: Allowance["masked"];
}

export interface Schema {
  readonly tables: readonly Table[];
}

export interface Table {
  readonly name: string;
  readonly kind: "table" | "view" | "virtual" | "shadow";
  readonly columns: readonly Column[];
  /** How a view is made, in SQL; `undefined` for all else. */
  readonly definition: string | undefined;
}

export interface Column {
  readonly name: string;
  /** As declared, in upper case; empty where nothing is. */
  readonly type: string;
  readonly isGenerated: boolean;
}

export interface Examination {
  /** Why SQLite does not take the statement; the rest is then empty. */
  readonly refusal: string | undefined;
  /** The names of its parameters, without the colon, each once. */
  readonly parameters: readonly string[];
  /** Every column of a table that is read, by whom and how often it is named. */
  readonly reads: readonly ColumnRead[];
  /** The functions it calls, in lower case. */
  readonly functions: readonly string[];
  readonly isRecursive: boolean;
  /** What it does beside reading, in SQLite's words, such as `ATTACH` or `PRAGMA`; none for a plain SELECT. */
  readonly otherActions: readonly string[];
  /** The names of the columns of its `Answer`: SQLite calls a masked column by the words it is written in, such as `c.name`. */
  readonly answerColumns: readonly string[];
  /** What it gives, and the table's column each comes from, where it is one. No two have the same name. */
  readonly columns: readonly {
    readonly name: string;
    readonly table: string | undefined;
    readonly column: string | undefined;
    readonly type: string | undefined;
  }[];
  /** What EXPLAIN QUERY PLAN says, one line each. */
  readonly plan: readonly string[];
}

export interface ColumnRead {
  readonly table: string;
  /** Empty where only rows are counted. */
  readonly column: string;
  /** The view, or the name of a WITH, that reads it. */
  readonly via: string | undefined;
  /** How often the statement, or the view, names it. */
  readonly times: number;
}
