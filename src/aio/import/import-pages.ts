/** Builds or extends a database of aio-probe from saved pages of search results; one import is one run. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { UsageError } from "../../protocol/index.ts";
import { createDatabase } from "../create-database.ts";
import { defaultBuckets } from "../tables.ts";
import { refuseNearBuckets, remarkUnmatched } from "./check-buckets.ts";
import { choosePages } from "./choose-pages.ts";
import { gatherFiles, type Gathered } from "./gather-files.ts";
import type { ChosenPage, FileRemark } from "./import-file.ts";
import { joinOverviews } from "./join-overviews.ts";
import { explain, openTarget } from "./open-target.ts";
import { importLimits, type Overview } from "./page.ts";
import { readBuckets, type Buckets } from "./read-buckets.ts";
import { createFinder, findRun, writePages, type Written } from "./write-pages.ts";

export interface ImportOptions {
  readonly files: readonly string[];
  /** The bucket of every keyword that `buckets` does not name. Default: the one that the database has for it, or none. */
  readonly bucket?: string;
  /** A file of keywords and their buckets. */
  readonly buckets?: string;
  /** Whether a bucket may be called nearly as one of those by default. Default: no, for it is a slip. */
  readonly ownBuckets?: boolean;
  /** A completed run to extend. Default: a new one. */
  readonly run?: number;
  readonly note?: string;
  /** In ms since 1970: for pages that do not say when they were fetched. */
  readonly now: number;
  /** How long another writer is waited for; default: 5000. */
  readonly lockWaitMs?: number;
}

export interface ImportSummary {
  /** `undefined`: nothing was written. */
  readonly run: number | undefined;
  readonly isNewRun: boolean;
  readonly isNewDatabase: boolean;
  readonly observations: number;
  readonly failed: number;
  readonly withOverview: number;
  readonly withoutOverview: number;
  /** Pages that came without showing whether there is an AI Overview. */
  readonly unknown: number;
  /** Files that could not be taken. */
  readonly faulty: readonly FileRemark[];
  readonly skipped: readonly FileRemark[];
  /** Keywords of the file of buckets that are on no page, pages that are not used, and pages of which something is not known. */
  readonly remarks: readonly FileRemark[];
  /** Buckets that were given and are none of those by default: a slip, or another choice. */
  readonly otherBuckets: readonly string[];
}

/**
 * Reads every file first, then writes all that could be read in one transaction.
 *
 * Throws a `UsageError` where nothing can be written at all; then nothing has been.
 */
export function importPages(path: string, options: ImportOptions): ImportSummary {
  checkOptions(options);
  const file = resolve(path);
  const buckets = options.buckets === undefined ? new Map() : readBuckets(options.buckets);
  if (options.ownBuckets !== true) refuseNearBuckets([options.bucket, ...buckets.values()]);
  if (!existsSync(file)) return importInto(createTarget(file, options), options, buckets);
  using database = openTarget(file, options.lockWaitMs ?? 5_000);
  const target: Target = {
    isNew: false,
    findRun: createFinder(database),
    transact: (write) => transact(database, write),
  };
  try {
    if (options.run !== undefined) findRun(database, options.run); // also where every file is skipped
    return importInto(target, options, buckets);
  } catch (thrown) {
    throw explain(thrown, file);
  }
}

/** Where the pages go. */
interface Target {
  readonly isNew: boolean;
  /** Gives the run that has a file of this digest already. */
  readonly findRun: (sha256: string) => number | undefined;
  readonly transact: (write: (database: DatabaseSync) => void) => void;
}

function createTarget(file: string, { run }: ImportOptions): Target {
  if (run !== undefined) {
    const what = `Cannot extend run ${run}: there is no "${file}" yet, expected a database that has it`;
    throw new UsageError("bad-run", what);
  }
  return {
    isNew: true,
    findRun: () => undefined,
    transact: (write) => createDatabase(file, write),
  };
}

function importInto(target: Target, options: ImportOptions, buckets: Buckets): ImportSummary {
  const gathered = gatherFiles(options.files, target.findRun);
  const { files, faulty } = joinOverviews(gathered.files);
  const { chosen, unused } = choosePages(files);
  const bucketOf = (keyword: string): string | null | undefined => {
    const bucket = buckets.get(keyword.trim());
    return bucket === undefined ? options.bucket : bucket;
  };
  let done: Written | undefined;
  if (chosen.length > 0)
    target.transact((database) => {
      done = writePages(database, {
        chosen,
        files,
        bucketOf,
        run: options.run,
        note: options.note ?? null,
        now: `${new Date(options.now).toISOString().slice(0, 19)}Z`,
      });
    });
  const { run, written = [], unused: refused = [] } = done ?? {};
  return {
    run,
    isNewRun: run !== undefined && options.run === undefined,
    isNewDatabase: run !== undefined && target.isNew,
    ...countPages(written),
    faulty: [...gathered.faulty, ...faulty],
    skipped: gathered.skipped,
    remarks: [
      ...(run === undefined
        ? []
        : describeUnmatched(options, buckets, { files, skipped: gathered.skipped })),
      ...unused,
      ...refused,
      ...written.flatMap(describeUnknown),
    ],
    otherBuckets: findOthers(written.map(({ page }) => bucketOf(page.keyword))),
  };
}

function describeUnmatched(
  { buckets: name }: ImportOptions,
  buckets: Buckets,
  { files, skipped }: Pick<Gathered, "files" | "skipped">,
): readonly FileRemark[] {
  if (name === undefined) return [];
  const keywords = files.flatMap(({ pages }) => pages.map(({ keyword }) => keyword.trim()));
  return remarkUnmatched(name, buckets, new Set(keywords), skipped.length > 0);
}

type Counts = Pick<
  ImportSummary,
  "observations" | "failed" | "withOverview" | "withoutOverview" | "unknown"
>;

function countPages(written: readonly ChosenPage[]): Counts {
  const count = (kind: Overview["kind"]): number =>
    written.filter(({ page }) => page.status === "ok" && page.overview.kind === kind).length;
  return {
    observations: written.length,
    failed: written.filter(({ page }) => page.status === "failed").length,
    withOverview: count("present"),
    withoutOverview: count("absent"),
    unknown: count("unknown"),
  };
}

function findOthers(buckets: readonly (string | null | undefined)[]): readonly string[] {
  const named = new Set(buckets.filter((bucket) => typeof bucket === "string"));
  return [...named.difference(new Set<string>(defaultBuckets))];
}

function describeUnknown({ page, file: { name } }: ChosenPage): readonly FileRemark[] {
  const { keyword, overview, status } = page;
  if (status === "failed" || overview.kind !== "unknown") return [];
  const what = `whether there is an AI Overview for "${keyword}" is not known: ${overview.reason}`;
  return [{ name, what }];
}

function checkOptions({ files, bucket, note }: ImportOptions): void {
  const refuse = (thing: string, what: string): UsageError =>
    new UsageError("bad-import", `Cannot import ${thing}: ${what}`);
  if (files.length > importLimits.files)
    throw refuse(
      `${files.length} files`,
      `there are too many, expected at most ${importLimits.files} at once`,
    );
  for (const [name, text, most] of [
    ["the bucket", bucket, importLimits.bucket],
    ["the note", note, importLimits.note],
  ] as const)
    if (text !== undefined && (text.trim() === "" || text.length > most))
      throw refuse(`with ${name} given`, `it has ${text.length} characters, expected 1 to ${most}`);
}

function transact(database: DatabaseSync, write: (database: DatabaseSync) => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    write(database);
    database.exec("COMMIT");
  } catch (thrown) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw thrown;
  }
}
