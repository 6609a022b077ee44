/** What the gate keeps between calls and between processes, seen as statements and transactions; `sqlite-store.ts` is the file. */

/** A value of a column. Integers come back as numbers: what the gate counts stays far below 2^53. */
export type Cell = string | number | bigint | null | Uint8Array;

/** A row as it comes back; read its cells with the readers of `row.ts`. */
export type Row = Readonly<Record<string, Cell>>;

/** A prepared statement, made once and kept. Every method throws a `StateError` when the state cannot be read or written. */
export interface Statement {
  get(...values: readonly Cell[]): Row | undefined;
  all(...values: readonly Cell[]): readonly Row[];
  /** Gives the number of rows that were changed. */
  run(...values: readonly Cell[]): number;
  /** Adds a row, and gives the number that the table knows it by. */
  insert(...values: readonly Cell[]): number;
}

/**
 * One state, shared by several processes.
 *
 * It is synchronous: a statement takes some microseconds, and a promise around it would cost a call more than the work.
 */
export interface Store extends Disposable {
  /** Where the state is, for people: a path. */
  readonly place: string;
  /** Prepares a statement with `?` for values. */
  prepare(sql: string): Statement;
  /**
   * Runs the work as one transaction that no other process writes into: all of it lasts, or, when it throws, nothing.
   *
   * Within another transaction it becomes a part of that one. The work must not wait: it returns before anything else runs.
   */
  transact<Result>(work: () => Result): Result;
}

/**
 * The tables of one feature, as the list of steps that made them: a step, once published, is never changed, only followed by
 * another.
 */
export interface Migrations {
  /** Names the feature in the table of migrations, such as `ledger`; its tables begin with this word. */
  readonly feature: string;
  /** SQL; the first entry makes the tables, each later one changes them. */
  readonly steps: readonly string[];
}
