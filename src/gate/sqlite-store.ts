/** The state as one SQLite file: several processes at once (WAL), durable against a crash of any of them. */

import { closeSync, lstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementResultingChanges, type StatementSync } from "node:sqlite";
import { makeFolder } from "../transport/index.ts";
import { migrate } from "./migrate.ts";
import { StateError, toStateError } from "./state-error.ts";
import type { Cell, Migrations, Row, Statement, Store } from "./store.ts";

export interface SqliteStoreOptions {
  /** The state folder; made, for its owner alone, when it is not there. */
  readonly folder: string;
  readonly migrations: readonly Migrations[];
  /** How long a statement may wait for another process: stops a hung one from hanging this one. Default: 2000. */
  readonly lockWaitMs?: number;
  /** How large the file may grow: stops the state from filling the disk. Default: 1 GiB. */
  readonly maxStateBytes?: number;
}

export const stateFileName = "state.db";

/** Opens the state file, making or migrating its tables. Throws a `StateError` for a state that cannot be used. */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  const { folder, migrations, lockWaitMs = 2000, maxStateBytes = 1024 ** 3 } = options;
  const place = join(folder, stateFileName);
  let database: DatabaseSync | undefined;
  try {
    prepareFile(folder, place);
    database = new DatabaseSync(place, { ...databaseOptions, timeout: lockWaitMs });
    const store = new SqliteStore(database, place);
    configure(database, store, { lockWaitMs, maxStateBytes });
    migrate(store, migrations);
    return store;
  } catch (thrown) {
    if (database?.isOpen === true) database.close();
    throw toStateError(thrown, "open the state", place) ?? thrown;
  }
}

const databaseOptions = {
  allowExtension: false,
  defensive: true,
  enableDoubleQuotedStringLiterals: false,
} as const;

/** Makes the file before SQLite does: for its owner alone, and only where there is nothing but a file. */
function prepareFile(folder: string, place: string): void {
  makeStateFolder(folder);
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found === undefined) return closeSync(openSync(place, "a", 0o600));
  if (found.isFile()) return;
  throw new StateError(
    "foreign",
    `Cannot open the state "${place}": it is a folder, a link or a device, expected a file`,
  );
}

function makeStateFolder(folder: string): void {
  const act = "make the state folder";
  try {
    makeFolder(folder);
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown)) throw thrown;
    const what =
      thrown.code === "ENOENT"
        ? "the folder above it takes no other, expected one on a disk"
        : `the system refuses (${String(thrown.code)}), expected a folder that may be written`;
    const known = thrown.code === "ENOENT" ? undefined : toStateError(thrown, act, folder);
    const text = `Cannot ${act} ${JSON.stringify(folder)}: ${what}`;
    throw known ?? new StateError("unreachable", text, { cause: thrown });
  }
}

/** Says "GENK" in the file's header, so that no other program's file is taken for ours. */
const applicationId = 0x47454e4b;

/** How many pages are written between two checkpoints, which wait for the disk: 32 MiB. */
const checkpointPages = 8000;

interface Limits {
  readonly lockWaitMs: number;
  readonly maxStateBytes: number;
}

function configure(database: DatabaseSync, store: Store, limits: Limits): void {
  const marked = readPragma(database, "application_id");
  const pages = readPragma(database, "page_count");
  if (marked !== applicationId && (marked !== 0 || pages > 0) && !isFresh(database)) {
    const what = `Cannot open the state "${store.place}": it is the database of another program`;
    throw new StateError("foreign", what);
  }
  enterWal(database, store.place, limits.lockWaitMs);
  database.exec("PRAGMA synchronous = NORMAL");
  database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  if (marked !== applicationId) database.exec(`PRAGMA application_id = ${applicationId}`);
  const pageSize = readPragma(database, "page_size");
  database.exec(
    `PRAGMA max_page_count = ${Math.max(1, Math.floor(limits.maxStateBytes / pageSize))}`,
  );
}

/** Changes to the write-ahead log, for whose lock SQLite itself does not wait: several processes may open a new file at once. */
function enterWal(database: DatabaseSync, place: string, lockWaitMs: number): void {
  const until = performance.now() + lockWaitMs;
  for (;;)
    try {
      return database.exec("PRAGMA journal_mode = WAL");
    } catch (thrown) {
      const isLocked = toStateError(thrown, "open the state", place)?.kind === "locked";
      if (!isLocked || performance.now() >= until) throw thrown;
      Atomics.wait(sleeper, 0, 0, walRetryMs);
    }
}

/** Nobody wakes it: it sleeps as long as it is told. */
const sleeper = new Int32Array(new SharedArrayBuffer(4));
const walRetryMs = 10;

/** Is true for a file without a table: made by us just now, or by another process that is about to mark it. */
function isFresh(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
}

function readPragma(database: DatabaseSync, name: string): number {
  const value = Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  return typeof value === "number" ? value : 0;
}

class SqliteStore implements Store {
  readonly place: string;
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollBack: StatementSync;
  #isWithin = false;

  constructor(database: DatabaseSync, place: string) {
    this.place = place;
    this.#database = database;
    this.#begin = database.prepare("BEGIN IMMEDIATE"); // takes the write lock first: a later upgrade could fail half-way
    this.#commit = database.prepare("COMMIT");
    this.#rollBack = database.prepare("ROLLBACK");
  }

  prepare(sql: string): Statement {
    return this.#try(
      "read the state",
      () => new SqliteStatement(this.#database.prepare(sql), this.place),
    );
  }

  transact<Result>(work: () => Result): Result {
    if (this.#isWithin) return work();
    return this.#try("write the state", () => {
      this.#begin.run();
      this.#isWithin = true;
      try {
        const result = work();
        this.#commit.run();
        return result;
      } catch (thrown) {
        if (this.#database.isTransaction) this.#rollBack.run(); // SQLite itself rolls back when the disk is full
        throw thrown;
      } finally {
        this.#isWithin = false;
      }
    });
  }

  [Symbol.dispose](): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #try<Result>(act: string, work: () => Result): Result {
    try {
      return work();
    } catch (thrown) {
      throw toStateError(thrown, act, this.place) ?? thrown;
    }
  }
}

class SqliteStatement implements Statement {
  readonly #statement: StatementSync;
  readonly #place: string;

  constructor(statement: StatementSync, place: string) {
    this.#statement = statement;
    this.#place = place;
  }

  get(...values: readonly Cell[]): Row | undefined {
    try {
      return this.#statement.get(...values);
    } catch (thrown) {
      throw toStateError(thrown, "read the state", this.#place) ?? thrown;
    }
  }

  all(...values: readonly Cell[]): readonly Row[] {
    try {
      return this.#statement.all(...values);
    } catch (thrown) {
      throw toStateError(thrown, "read the state", this.#place) ?? thrown;
    }
  }

  run(...values: readonly Cell[]): number {
    return Number(this.#write(values).changes);
  }

  insert(...values: readonly Cell[]): number {
    return Number(this.#write(values).lastInsertRowid);
  }

  #write(values: readonly Cell[]): StatementResultingChanges {
    try {
      return this.#statement.run(...values);
    } catch (thrown) {
      throw toStateError(thrown, "write the state", this.#place) ?? thrown;
    }
  }
}
