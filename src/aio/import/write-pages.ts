/** Writes the pages of an import into a database: a new run, or more of one that is there. */

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { UsageError } from "../../protocol/index.ts";
import type { ChosenPage, FileRemark, ImportFile } from "./import-file.ts";
import type { Conditions, Link, Overview } from "./page.ts";

export interface Pages {
  readonly chosen: readonly ChosenPage[];
  /** All that were read, also those none of whose pages was chosen. */
  readonly files: readonly ImportFile[];
  /** Gives the bucket of a keyword; `undefined` leaves it as it is. */
  readonly bucketOf: (keyword: string) => string | null | undefined;
  /** The run that is extended; otherwise there is a new one. */
  readonly run: number | undefined;
  readonly note: string | null;
  /** ISO 8601. */
  readonly now: string;
}

export interface Written {
  readonly run: number;
  readonly unused: readonly FileRemark[];
  readonly written: readonly ChosenPage[];
}

/** What has been imported, so that it is known when it comes again. */
const createImported = `
CREATE TABLE IF NOT EXISTS imported_files (
  sha256      TEXT PRIMARY KEY,
  run_id      INTEGER NOT NULL REFERENCES runs (id),
  path        TEXT NOT NULL,             -- for the operator; never given out
  imported_at TEXT NOT NULL
) WITHOUT ROWID`;

/** Finds the run that has a file already. */
export function createFinder(database: DatabaseSync): (sha256: string) => number | undefined {
  const table = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'imported_files'")
    .get();
  if (table === undefined) return () => undefined;
  const find = database.prepare("SELECT run_id FROM imported_files WHERE sha256 = ?");
  return (sha256) => {
    const row = find.get(sha256);
    return row === undefined ? undefined : Number(row["run_id"]);
  };
}

/** Expects an open transaction. Throws a `UsageError` for a run that cannot be extended. */
export function writePages(database: DatabaseSync, pages: Pages): Written {
  const { chosen, files, bucketOf, note, now } = pages;
  const [first] = chosen;
  if (first === undefined) throw new Error("There is nothing to write");
  database.exec(createImported);
  const run = pages.run ?? insertRun(database, first.page.conditions, note);
  if (pages.run !== undefined) checkRun(database, run, first.page.conditions);
  const keepsTargets = pages.run === undefined || hasTargets(database, run);
  const writer = new PageWriter(database, { run, keepsTargets, bucketOf });
  const unused: FileRemark[] = [];
  const written: ChosenPage[] = [];
  for (const each of chosen) {
    const fault = writer.write(each);
    if (fault === undefined) written.push(each);
    else unused.push({ name: each.file.name, what: fault });
  }
  const insertFile = database.prepare("INSERT INTO imported_files VALUES (?, ?, ?, ?)");
  for (const { sha256, path } of files) insertFile.run(sha256, run, path, now);
  setTimes(database, run, now);
  return { run, unused, written };
}

function insertRun(database: DatabaseSync, conditions: Conditions, note: string | null): number {
  const { engine, locale, device, location } = conditions;
  const { lastInsertRowid } = database
    .prepare(
      "INSERT INTO runs (started_at, status, engine, locale, device, location, note) VALUES ('', 'completed', ?, ?, ?, ?, ?)",
    )
    .run(engine, locale, device, location, note);
  return Number(lastInsertRowid);
}

/** A run is extended when whoever made it has ended. Throws a `UsageError` for one that cannot be, and gives its row. */
export function findRun(database: DatabaseSync, run: number): Readonly<Record<string, unknown>> {
  const row = database
    .prepare("SELECT status, engine, locale, device, location FROM runs WHERE id = ?")
    .get(run);
  if (row === undefined) throw refuseRun(run, "there is no such run", "the number of one");
  const { status } = row;
  if (status !== "completed")
    throw refuseRun(run, `its status is ${JSON.stringify(status)}`, '"completed"');
  return row;
}

/** A run is extended by pages made under its conditions. */
function checkRun(database: DatabaseSync, run: number, conditions: Conditions): void {
  const row = findRun(database, run);
  for (const [name, value] of Object.entries(conditions)) {
    const own = row[name];
    if (own === null || own === value) continue;
    throw refuseRun(
      run,
      `its ${name} is ${JSON.stringify(own)}`,
      `${JSON.stringify(value)} as in the files`,
    );
  }
}

/** An older run has none, and is read with the keywords of today: with a few of its own it would have no others. */
function hasTargets(database: DatabaseSync, run: number): boolean {
  return database.prepare("SELECT 1 FROM run_keywords WHERE run_id = ?").get(run) !== undefined;
}

function refuseRun(run: number, what: string, expected: string): UsageError {
  const text = `Cannot extend run ${run}: ${what}, expected ${expected}`;
  return new UsageError("bad-run", text, { hint: "without --run a new run is made" });
}

/**
 * A run begins with its first page and ends with its last; without any time it is now. One that is extended has times already:
 * they only move apart, so that no other run becomes the latest by it. Whoever writes 'None' for a time knows none.
 */
function setTimes(database: DatabaseSync, run: number, now: string): void {
  const page = "SELECT fetched_at AS at FROM observations WHERE run_id = runs.id";
  const choose = (which: "min" | "max", own: string): string =>
    `(SELECT ${which}(at) FROM (${page} UNION ALL SELECT runs.${own}) WHERE substr(at, 1, 1) BETWEEN '0' AND '9')`;
  database
    .prepare(
      `UPDATE runs SET started_at = coalesce(${choose("min", "started_at")}, ?), completed_at = coalesce(${choose("max", "completed_at")}, ?)
      WHERE id = ?`,
    )
    .run(now, now, run);
}

interface Place {
  readonly run: number;
  /** Whether the run keeps which keywords it was to look at. */
  readonly keepsTargets: boolean;
  readonly bucketOf: Pages["bucketOf"];
}

class PageWriter {
  readonly #run: number;
  readonly #keepsTargets: boolean;
  readonly #bucketOf: Pages["bucketOf"];
  readonly #statements: Readonly<Record<keyof typeof statements, StatementSync>>;

  constructor(database: DatabaseSync, { run, keepsTargets, bucketOf }: Place) {
    this.#run = run;
    this.#keepsTargets = keepsTargets;
    this.#bucketOf = bucketOf;
    const prepare = (name: keyof typeof statements): StatementSync =>
      database.prepare(statements[name]);
    this.#statements = {
      findKeyword: prepare("findKeyword"),
      insertKeyword: prepare("insertKeyword"),
      setBucket: prepare("setBucket"),
      insertTarget: prepare("insertTarget"),
      findObservation: prepare("findObservation"),
      dropCitations: prepare("dropCitations"),
      dropOrganic: prepare("dropOrganic"),
      dropObservation: prepare("dropObservation"),
      insertObservation: prepare("insertObservation"),
      insertCitation: prepare("insertCitation"),
      insertOrganic: prepare("insertOrganic"),
    };
  }

  /** Gives why the page is not written. */
  write({ page, file }: ChosenPage): string | undefined {
    const { keyword, status, overview, fetchedAt, error, organic } = page;
    const id = this.#findKeyword(keyword);
    const before = this.#statements.findObservation.get(this.#run, id);
    if (before !== undefined) {
      if (before["status"] !== "failed" || status === "failed")
        return `its page for "${keyword}" is not used: run ${this.#run} has one`;
      for (const name of ["dropCitations", "dropOrganic", "dropObservation"] as const)
        this.#statements[name].run(Number(before["id"]));
    }
    const { lastInsertRowid } = this.#statements.insertObservation.run(
      this.#run,
      id,
      status,
      toFlag(overview),
      fetchedAt,
      error,
      file.path,
    );
    const observation = Number(lastInsertRowid);
    const citations = overview.kind === "present" ? overview.citations : [];
    writeLinks(this.#statements.insertCitation, observation, citations);
    writeLinks(this.#statements.insertOrganic, observation, organic);
    return undefined;
  }

  /** The run keeps what bucket the keyword was in; a run that has it keeps the first. */
  #findKeyword(keyword: string): number {
    const given = this.#bucketOf(keyword);
    const row = this.#statements.findKeyword.get(keyword);
    const bucket = given === undefined ? toText(row?.["bucket"]) : given;
    const id =
      row === undefined
        ? Number(this.#statements.insertKeyword.run(keyword, bucket).lastInsertRowid)
        : Number(row["id"]);
    if (row !== undefined && given !== undefined) this.#statements.setBucket.run(given, id);
    if (this.#keepsTargets) this.#statements.insertTarget.run(this.#run, id, keyword, bucket);
    return id;
  }
}

const statements = {
  findKeyword: "SELECT id, bucket FROM keywords WHERE keyword = ? ORDER BY id LIMIT 1",
  insertKeyword: "INSERT INTO keywords (keyword, bucket) VALUES (?, ?)",
  setBucket: "UPDATE keywords SET bucket = ? WHERE id = ?",
  insertTarget:
    "INSERT INTO run_keywords (run_id, keyword_id, keyword, bucket) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
  /** The one that counts: of several the last. */
  findObservation:
    "SELECT id, status FROM observations WHERE run_id = ? AND keyword_id = ? ORDER BY fetched_at DESC, id DESC LIMIT 1",
  dropCitations: "DELETE FROM citations WHERE observation_id = ?",
  dropOrganic: "DELETE FROM organic_results WHERE observation_id = ?",
  dropObservation: "DELETE FROM observations WHERE id = ?",
  insertObservation:
    "INSERT INTO observations (run_id, keyword_id, status, aio_present, fetched_at, error_text, raw_path) VALUES (?, ?, ?, ?, ?, ?, ?)",
  insertCitation:
    "INSERT INTO citations (observation_id, position, url, domain, title) VALUES (?, ?, ?, ?, ?)",
  insertOrganic:
    "INSERT INTO organic_results (observation_id, position, url, domain, title) VALUES (?, ?, ?, ?, ?)",
} as const;

function writeLinks(insert: StatementSync, observation: number, links: readonly Link[]): void {
  for (const { position, url, domain, title } of links)
    insert.run(observation, position, url, domain, title);
}

function toFlag({ kind }: Overview): number | null {
  return kind === "unknown" ? null : Number(kind === "present");
}

function toText(value: SQLInputValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}
