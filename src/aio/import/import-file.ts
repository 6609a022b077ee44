/** A file of an import, read and not yet written, and what is said of one. */

import type { LateOverview, ResultPage } from "./page.ts";

export interface ImportFile {
  /** As it was given. */
  readonly name: string;
  /** From the root. */
  readonly path: string;
  /** By which it is known again. */
  readonly sha256: string;
  readonly pages: readonly ResultPage[];
  readonly overviews: readonly LateOverview[];
}

export interface FileRemark {
  readonly name: string;
  readonly what: string;
  /** Something to type. */
  readonly hint?: string;
}

/** One page that is to be written, and the file it comes from. */
export interface ChosenPage {
  readonly page: ResultPage;
  readonly file: ImportFile;
}
