/** Opens the database that an import extends, as the one room of Genkan that writes into one. */

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { UsageError } from "../../protocol/index.ts";
import { createTables, sampleId } from "../tables.ts";

/**
 * Throws a `UsageError` for what is no database of aio-probe, and for the sample: what was seen does not go among what was made up.
 *
 * @param lockWaitMs how long another writer is waited for
 */
export function openTarget(path: string, lockWaitMs: number): DatabaseSync {
  const file = resolve(path);
  if (!statSync(file).isFile()) throw refuse(file, "it is no plain file");
  const database = new DatabaseSync(file, {
    timeout: lockWaitMs,
    defensive: true,
    allowExtension: false,
    enableDoubleQuotedStringLiterals: false,
  });
  try {
    database.exec("PRAGMA trusted_schema = OFF");
    if (Number(database.prepare("PRAGMA application_id").get()?.["application_id"]) === sampleId)
      throw refuse(file, 'it is a sample of "genkan aio sample"', "a database of your own");
    const missing = findMissing(database);
    if (missing.length > 0) throw refuse(file, `it has no ${missing.join(", ")}`);
    return database;
  } catch (thrown) {
    database.close();
    throw explain(thrown, file);
  }
}

/** Puts an error of SQLite into a sentence. */
export function explain(thrown: unknown, file: string): unknown {
  if (!(thrown instanceof Error) || !("errcode" in thrown)) return thrown;
  const code = Number(thrown.errcode) % 256; // the primary result code
  const what = reasons.get(code) ?? `SQLite says: ${thrown.message}`;
  return new UsageError("cannot-write", `Cannot write into "${file}": ${what}`, { cause: thrown });
}

/** @see https://www.sqlite.org/rescode.html */
const reasons = new Map([
  [5, "another process writes into it all the time, expected a turn"],
  [8, "it may not be written to, expected leave"],
  [11, "it is damaged, expected a sound database"],
  [13, "the disk is full, expected room"],
  [14, "it cannot be opened, expected a database"],
  [26, "it is no SQLite database, expected one"],
]);

function refuse(file: string, what: string, expected = "a database of aio-probe"): UsageError {
  const text = `Cannot write into "${file}": ${what}, expected ${expected}`;
  return new UsageError("cannot-write", text, { hint: "a new path makes a new database" });
}

const listColumns = `
  SELECT s.name || '.' || c.name AS place FROM sqlite_schema AS s, pragma_table_info(s.name) AS c
  WHERE s.type = 'table' ORDER BY s.rowid, c.cid`;

/** Lists the tables and columns that are not there, a table without its columns. */
function findMissing(database: DatabaseSync): readonly string[] {
  using model = new DatabaseSync(":memory:");
  model.exec(createTables);
  const wanted = readPlaces(model);
  const there = readPlaces(database);
  const tables = new Set(there.map((place) => place.split(".")[0]));
  const missing = wanted
    .filter((place) => !there.includes(place))
    .map((place) => {
      const [table = ""] = place.split(".");
      return tables.has(table) ? `column ${place}` : `table ${table}`;
    });
  return [...new Set(missing)];
}

function readPlaces(database: DatabaseSync): readonly string[] {
  return database
    .prepare(listColumns)
    .all()
    .map(({ place }) => String(place));
}
