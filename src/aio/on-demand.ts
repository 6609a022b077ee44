/** What makes a database of aio-probe, read when it is asked for: a server that only reads one needs none of it. */

import type { ImportOptions, ImportSummary } from "./import/import-pages.ts";
import type { SampleOptions, SampleSummary } from "./sample/create-sample.ts";

/**
 * Makes a public database, the same bytes for the same numbers.
 *
 * Rejects with a `UsageError` for a path where something is, and for numbers out of bounds.
 */
export async function createSample(
  path: string,
  options: SampleOptions = {},
): Promise<SampleSummary> {
  const sample = await import("./sample/create-sample.ts");
  return sample.createSample(path, options);
}

/** Builds or extends a database from saved pages of search results. Rejects with a `UsageError` where nothing was written. */
export async function importPages(path: string, options: ImportOptions): Promise<ImportSummary> {
  const importing = await import("./import/import-pages.ts");
  return importing.importPages(path, options);
}
