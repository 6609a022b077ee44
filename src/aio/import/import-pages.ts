/** Builds or extends a database of aio-probe from saved pages of search results; one import is one run. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { UsageError } from "../../protocol/index.ts";
import { createDatabase } from "../create-database.ts";
import { choosePages } from "./choose-pages.ts";
import { gatherFiles } from "./gather-files.ts";
import type { ChosenPage, FileRemark } from "./import-file.ts";
import { joinOverviews } from "./join-overviews.ts";
import { explain, openTarget } from "./open-target.ts";
import { importLimits } from "./page.ts";
import { readBuckets, type Buckets } from "./read-buckets.ts";
import { createFinder, writePages, type Written } from "./write-pages.ts";

export interface ImportOptions {
  readonly files: readonly string[];
  /** The bucket of every keyword that `buckets` does not name. Default: the one that the database has for it, or none. */
  readonly bucket?: string;
  /** A file of keywords and their buckets. */
  readonly buckets?: string;
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
  /** Pages that are not used, and pages of which something is not known. */
  readonly remarks: readonly FileRemark[];
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
  if (!existsSync(file)) {
    if (options.run !== undefined)
      throw new UsageError(
        "bad-run",
        `Cannot extend run ${options.run}: there is no "${file}" yet, expected a database that has it`,
      );
    return importInto(
      options,
      buckets,
      () => undefined,
      (write) => createDatabase(file, write),
      true,
    );
  }
  using database = openTarget(file, options.lockWaitMs ?? 5_000);
  try {
    const isNew = false;
    return importInto(
      options,
      buckets,
      createFinder(database),
      (write) => transact(database, write),
      isNew,
    );
  } catch (thrown) {
    throw explain(thrown, file);
  }
}

type Transact = (write: (database: DatabaseSync) => void) => void;

function importInto(
  options: ImportOptions,
  buckets: Buckets,
  findRun: (sha256: string) => number | undefined,
  transactNow: Transact,
  isNewDatabase: boolean,
): ImportSummary {
  const gathered = gatherFiles(options.files, findRun);
  const { files, faulty: alone } = joinOverviews(gathered.files);
  const { chosen, unused } = choosePages(files);
  let written: Written | undefined;
  if (chosen.length > 0)
    transactNow((database) => {
      written = writePages(database, {
        chosen,
        files,
        bucketOf: (keyword) => chooseBucket(keyword, buckets, options.bucket),
        run: options.run,
        note: options.note ?? null,
        now: `${new Date(options.now).toISOString().slice(0, 19)}Z`,
      });
    });
  const pages = written?.written ?? [];
  const isOk = ({ page }: ChosenPage): boolean => page.status === "ok";
  const count = (kind: string): number =>
    pages.filter((each) => isOk(each) && each.page.overview.kind === kind).length;
  return {
    run: written?.run,
    isNewRun: written !== undefined && options.run === undefined,
    isNewDatabase: written !== undefined && isNewDatabase,
    observations: pages.length,
    failed: pages.filter((each) => !isOk(each)).length,
    withOverview: count("present"),
    withoutOverview: count("absent"),
    unknown: count("unknown"),
    faulty: [...gathered.faulty, ...alone],
    skipped: gathered.skipped,
    remarks: [
      ...unused,
      ...(written?.unused ?? []),
      ...pages.filter(isOk).flatMap(describeUnknown),
    ],
  };
}

function describeUnknown({
  page: { keyword, overview },
  file: { name },
}: ChosenPage): readonly FileRemark[] {
  if (overview.kind !== "unknown") return [];
  return [
    {
      name,
      what: `whether there is an AI Overview for "${keyword}" is not known: ${overview.reason}`,
    },
  ];
}

function chooseBucket(
  keyword: string,
  buckets: Buckets,
  fallback: string | undefined,
): string | null | undefined {
  const bucket = buckets.get(keyword.trim());
  return bucket === undefined ? fallback : bucket;
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
