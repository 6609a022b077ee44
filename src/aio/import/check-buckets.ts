/** Looks at the buckets of an import for slips: names that are nearly a default one, and keywords that no page has. */

import { basename } from "node:path";
import { findNearest, UsageError } from "../../protocol/index.ts";
import { normaliseKeyword } from "../normalise-keyword.ts";
import { defaultBuckets } from "../tables.ts";
import type { FileRemark } from "./import-file.ts";
import type { Buckets } from "./read-buckets.ts";

/** Throws a `UsageError` for a name that is nearly one of those by default: what is written into a run stays there. */
export function refuseNearBuckets(names: Iterable<string | null | undefined>): void {
  for (const name of new Set(names)) {
    if (typeof name !== "string" || defaultBuckets.some((each) => each === name)) continue;
    const near = findNearest(name, defaultBuckets);
    if (near === undefined) continue;
    const what = `Cannot take the bucket "${name}": it is nearly one of those by default, did you mean "${near}"?`;
    throw new UsageError("near-bucket", what, { hint: "--own-buckets takes it as it is" });
  }
}

/** How many keywords are told: a wrong file has no other. */
const shownKeywords = 5;

/** Against how many keywords of pages each of these is held: stops a long list from being compared with a long list. */
const mostCompared = 1_000;

/**
 * Gives a remark where keywords of the file are on no page, such as those that are written otherwise there.
 *
 * @param hasOthers whether there are pages that are not looked at, for they came before
 */
export function remarkUnmatched(
  file: string,
  buckets: Buckets,
  onPages: ReadonlySet<string>,
  hasOthers: boolean,
): readonly FileRemark[] {
  const unmatched = [...buckets.keys()].filter((keyword) => !onPages.has(keyword));
  if (unmatched.length === 0) return [];
  const free = [...onPages].filter((keyword) => !buckets.has(keyword));
  const writtenOtherwise = new Map(free.map((keyword) => [normaliseKeyword(keyword), keyword]));
  const findNear = (keyword: string): string | undefined =>
    writtenOtherwise.get(normaliseKeyword(keyword));
  const shown = unmatched
    .toSorted((a, b) => Number(findNear(a) === undefined) - Number(findNear(b) === undefined))
    .slice(0, shownKeywords)
    .map((keyword) => {
      const near = findNear(keyword) ?? findNearest(keyword, free.slice(0, mostCompared));
      return `"${keyword}"${near === undefined ? "" : ` (did you mean "${near}"?)`}`;
    });
  const more = unmatched.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
  const are = unmatched.length === 1 ? "is" : "are";
  const what = `${unmatched.length} of ${buckets.size} keywords of ${basename(file)} ${are} on no ${hasOthers ? "new " : ""}page: ${list}`;
  return [{ name: file, what }];
}
