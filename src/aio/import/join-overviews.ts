/** Puts AI Overviews that were fetched by themselves into the pages that announced them. */

import type { FileRemark, ImportFile } from "./import-file.ts";
import type { Overview, ResultPage } from "./page.ts";

/** Gives the files with their pages made whole, without those that belong to no page here. */
export function joinOverviews(files: readonly ImportFile[]): {
  readonly files: readonly ImportFile[];
  readonly faulty: readonly FileRemark[];
} {
  const late = new Map<string, Overview>(
    files.flatMap(({ overviews }) => overviews.map(({ token, overview }) => [token, overview])),
  );
  const announced = new Set(
    files.flatMap(({ pages }) => pages.map(tokenOf)).filter((token) => token !== undefined),
  );
  const isAlone = ({ overviews }: ImportFile): boolean =>
    overviews.some(({ token }) => !announced.has(token));
  return {
    files: files
      .filter((file) => !isAlone(file))
      .map(({ name, path, sha256, pages, overviews }) => ({
        name,
        path,
        sha256,
        pages: pages.map((page) => join(page, late)),
        overviews,
      })),
    faulty: files.filter(isAlone).map(({ name }) => ({
      name,
      what: "it is an AI Overview by itself, expected the page whose page_token fetched it among the files",
    })),
  };
}

function join(page: ResultPage, late: ReadonlyMap<string, Overview>): ResultPage {
  const token = tokenOf(page);
  const overview = token === undefined ? undefined : late.get(token);
  return overview === undefined ? page : { ...page, overview };
}

function tokenOf({ overview }: ResultPage): string | undefined {
  return overview.kind === "unknown" ? overview.token : undefined;
}
