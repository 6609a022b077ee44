/** Every limit of a database that agents read: its name, its default, which is also its most, and the harm it stops. */

import { UsageError } from "../protocol/index.ts";

export interface SqliteLimits {
  /** The file and its write-ahead log together: stops a scan, and a private copy, from taking minutes. */
  readonly databaseBytes: number;
  /** How long one query may run: stops one question from holding a reader for ever. */
  readonly queryMs: number;
  /** Queries running at once, each in a process of its own: stops a flood from taking every core. */
  readonly queries: number;
  /** Queries that wait for a reader: stops a flood from filling the memory. */
  readonly queue: number;
  /** How long a query may wait for a reader: stops answers that nobody waits for any more. */
  readonly queueWaitMs: number;
  /** One value: stops one cell from filling the memory. */
  readonly cellBytes: number;
  /** One result, as JSON: stops one answer from filling a model's memory. */
  readonly resultBytes: number;
  /** One text among the arguments, in characters: stops one argument from keeping a pattern or a search busy. */
  readonly inputCharacters: number;
}

export const defaultSqliteLimits: SqliteLimits = {
  databaseBytes: 512 * 1024 ** 2,
  queryMs: 5_000,
  queries: 4,
  queue: 32,
  queueWaitMs: 5_000,
  cellBytes: 1024 ** 2,
  resultBytes: 100_000,
  inputCharacters: 512,
};

/** Fills in the defaults. Throws a `UsageError` that names the limit for one that is unknown, below 1 or above its default. */
export function resolveSqliteLimits(chosen: Partial<SqliteLimits> = {}): SqliteLimits {
  const known = new Map<string, number>(Object.entries(defaultSqliteLimits));
  for (const [name, value] of Object.entries(chosen)) {
    const most = known.get(name);
    if (most === undefined)
      throw refuse(
        name,
        "there is no such limit",
        `expected one of ${[...known.keys()].join(", ")}`,
      );
    if (!Number.isSafeInteger(value) || value < 1 || value > most)
      throw refuse(
        name,
        `it is ${value}`,
        `expected a whole number from 1 to ${most}: limits go downwards`,
      );
  }
  return { ...defaultSqliteLimits, ...chosen };
}

function refuse(name: string, what: string, expected: string): UsageError {
  return new UsageError("invalid-limit", `Cannot use the limit "${name}": ${what}, ${expected}`);
}
