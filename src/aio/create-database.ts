/** Makes a new database of aio-probe: the whole file, or none. */

import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { UsageError } from "../protocol/index.ts";
import { createTables } from "./tables.ts";

/**
 * Lets `fill` write into new tables, and gives the file its name when all is there; indexes are made last, which is faster.
 *
 * Throws a `UsageError` (`file-exists`) for a path where something is: nothing is ever overwritten.
 */
export function createDatabase(path: string, fill: (database: DatabaseSync) => void): void {
  // From the root, so that SQLite takes neither ":memory:" nor "file:…" for anything but a file's name.
  const file = resolve(path);
  refuseTaken(file);
  const part = `${file}.${randomBytes(6).toString("hex")}.part`;
  try {
    claim(part, file);
    fillFile(part, fill);
    giveName(part, file);
  } finally {
    rmSync(part, { force: true });
  }
}

/** A journal or a log that lies there belonged to another database, and SQLite would play it into this one. */
function refuseTaken(file: string): void {
  for (const taken of [file, `${file}-journal`, `${file}-wal`])
    if (existsSync(taken)) throw refuse(file, taken);
}

function refuse(file: string, taken: string, cause?: unknown): UsageError {
  const what = `Cannot make the database "${file}": "${taken}" is there already, expected a free path`;
  return new UsageError("file-exists", what, {
    hint: "another path, or move the file away",
    cause,
  });
}

function claim(part: string, file: string): void {
  try {
    closeSync(openSync(part, "wx"));
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause)) throw cause;
    if (cause.code === "ENOENT")
      throw new UsageError(
        "cannot-write",
        `Cannot make the database "${file}": its folder is not there, expected one`,
        { cause, hint: `mkdir -p '${dirname(file).replaceAll("'", String.raw`'\''`)}'` },
      );
    const what = `Cannot make the database "${file}": its folder takes no file (${String(cause.code)}), expected one that can be written`;
    throw new UsageError("cannot-write", what, { cause });
  }
}

/** Without a journal: a file that is not finished is thrown away. */
function fillFile(part: string, fill: (database: DatabaseSync) => void): void {
  const statements = createTables.split(/(?<=;)\n+/);
  const indexes = statements.filter((statement) => statement.startsWith("CREATE INDEX"));
  const tables = statements.filter((statement) => !indexes.includes(statement));
  {
    using database = new DatabaseSync(part, { defensive: false }); // else SQLite insists on a journal
    database.exec(
      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536",
    );
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN");
    database.exec(tables.join("\n"));
    fill(database);
    database.exec(indexes.join("\n"));
    database.exec("COMMIT");
  }
  const written = openSync(part, "r+");
  fsyncSync(written);
  closeSync(written);
}

/** A second name is refused where there is a file, unlike a new name; some file systems have no second names. */
function giveName(part: string, file: string): void {
  try {
    linkSync(part, file);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "EEXIST") throw refuse(file, file, cause);
    refuseTaken(file);
    renameSync(part, file);
  }
}
