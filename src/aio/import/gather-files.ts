/** Reads the files of an import one by one; nothing is written yet. */

import type { FileRemark, ImportFile } from "./import-file.ts";
import { importLimits } from "./page.ts";
import { parsePages } from "./parse-pages.ts";
import { readFile } from "./read-file.ts";

export interface Gathered {
  readonly files: readonly ImportFile[];
  /** What cannot be taken, and why: `<what is>, expected <what should be>`. */
  readonly faulty: readonly FileRemark[];
  /** What has been taken before. */
  readonly skipped: readonly FileRemark[];
}

/** @param findRun gives the run that has a file of this digest already */
export function gatherFiles(
  names: readonly string[],
  findRun: (sha256: string) => number | undefined,
): Gathered {
  const files: ImportFile[] = [];
  const faulty: FileRemark[] = [];
  const skipped: FileRemark[] = [];
  const seen = new Map<string, string>();
  const { allBytes } = importLimits;
  let bytesRead = 0;
  for (const name of names) {
    const read = readFile(name);
    if ("fault" in read) {
      const { fault, hint } = read;
      faulty.push({ name, what: fault, ...(hint !== undefined && { hint }) });
      continue;
    }
    const { path, bytes, sha256 } = read;
    const twin = seen.get(sha256);
    const run = findRun(sha256);
    if (twin !== undefined || run !== undefined) {
      const what =
        twin === undefined
          ? `it is in run ${run} already, and a page is in one run only`
          : `it is the same as "${twin}"`;
      skipped.push({ name, what });
      continue;
    }
    seen.set(sha256, name);
    bytesRead += bytes.length;
    const parsed =
      bytesRead > allBytes
        ? {
            fault: `with it there are more than ${allBytes} bytes, expected them in several imports`,
          }
        : parsePages(bytes);
    if ("fault" in parsed) faulty.push({ name, what: parsed.fault });
    else files.push({ name, path, sha256, ...parsed });
  }
  return { files, faulty, skipped };
}
