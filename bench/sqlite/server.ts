/** What a bench knows of a server that answers questions about a SQLite file. */

import { toRecord } from "../messages.ts";
import type { Question } from "./items.ts";

/** One question without its answer: there are some that nobody waits for. */
export type Ask = Omit<Question, "listAnswer">;

export type Command = readonly [command: string, ...args: string[]];

export interface SqliteServer {
  /**
   * Writes into the folder what the server needs to answer these questions about the database, and gives the command that starts it.
   *
   * Throws an `Unavailable` where the server cannot be had.
   */
  prepare(folder: string, database: string, asks: readonly Ask[]): Command;
  /** Reads the rows out of a result, each an object. */
  readRows(result: Readonly<Record<string, unknown>>): unknown;
}

/** Gives what the texts of a result say in JSON. */
export function readJsonTexts({ content }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return (Array.isArray(content) ? content : []).map((part): unknown =>
    JSON.parse(String(toRecord(part)["text"])),
  );
}
