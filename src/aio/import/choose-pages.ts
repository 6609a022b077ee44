/** Makes one run of the pages of all files: made under the same conditions, and one page for each keyword. */

import { UsageError } from "../../protocol/index.ts";
import type { ChosenPage, FileRemark, ImportFile } from "./import-file.ts";
import type { ResultPage } from "./page.ts";

export interface Choice {
  /** In the order of the files. */
  readonly chosen: readonly ChosenPage[];
  /** Pages of keywords that have a better one. */
  readonly unused: readonly FileRemark[];
}

/** Throws a `UsageError` for pages that cannot be of one run. */
export function choosePages(files: readonly ImportFile[]): Choice {
  const all = files.flatMap((file) => file.pages.map((page) => ({ page, file })));
  refuseMixture(all);
  const best = new Map<string, ChosenPage>();
  for (const each of all) {
    const before = best.get(each.page.keyword);
    if (before === undefined || isBetter(each.page, before.page)) best.set(each.page.keyword, each);
  }
  const isBest = (each: ChosenPage): boolean => best.get(each.page.keyword) === each;
  const unused = all
    .filter((each) => !isBest(each))
    .map(({ page: { keyword }, file: { name } }) => ({
      name,
      what: `its page for "${keyword}" is not used: "${best.get(keyword)?.file.name}" has a better or later one`,
    }));
  return { chosen: all.filter(isBest), unused };
}

/** A page that came counts before one that failed, one that shows whether there is an overview before one that does not, then the later. */
function isBetter(page: ResultPage, than: ResultPage): boolean {
  const difference = gradeOf(page) - gradeOf(than);
  if (difference !== 0) return difference > 0;
  return (page.fetchedAt ?? "") > (than.fetchedAt ?? "");
}

function gradeOf({ status, overview }: ResultPage): number {
  if (status === "failed") return 0;
  return overview.kind === "unknown" ? 1 : 2;
}

/** A run says once where and how it was made: pages of two devices in one would be compared as if they were the same. */
function refuseMixture(all: readonly ChosenPage[]): void {
  const [first] = all;
  if (first === undefined) return;
  const wanted = describeConditions(first.page);
  for (const { page, file } of all)
    for (const [name, value] of Object.entries(describeConditions(page))) {
      const other = wanted[name];
      if (value === other) continue;
      const what = `Cannot make one run of these files: the ${name} is ${show(other)} in "${first.file.name}" and ${show(value)} in "${file.name}", expected the same in all`;
      throw new UsageError("mixed-pages", what, { hint: "one import for each" });
    }
}

function describeConditions({
  provider,
  conditions,
}: ResultPage): Readonly<Record<string, string | null>> {
  return { provider, ...conditions };
}

function show(value: string | null | undefined): string {
  return value === null || value === undefined ? "unknown" : `"${value}"`;
}
