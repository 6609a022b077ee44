/** What a page of results of the sample shows: whether there is an AI Overview, what it cites, and the organic results. */

import type { SampleKeyword } from "./keywords.ts";
import type { Pick } from "./random.ts";
import type { SampleRun } from "./runs.ts";
import { errors, sites, type Bucket } from "./words.ts";

export interface SamplePage {
  readonly status: "ok" | "failed";
  /** `null`: nobody knows. */
  readonly hasOverview: boolean | null;
  readonly error: string | null;
}

export interface SampleLink {
  readonly url: string;
  readonly domain: string;
  readonly title: string | null;
}

/** How often of a thousand there is an AI Overview, in the first run. */
const overviews: Readonly<Record<Bucket, number>> = {
  informational: 600,
  commercial: 370,
  transactional: 130,
  navigational: 30,
};

export function choosePage(pick: Pick, run: SampleRun, keyword: SampleKeyword): SamplePage {
  const { intent, language } = keyword;
  const failing = 25 + (run.device === "mobile" ? 15 : 0) + (intent === "transactional" ? 20 : 0);
  if (pick(1000) < failing)
    return { status: "failed", hasOverview: null, error: errors[pick(errors.length)] ?? null };
  if (pick(1000) < 8) return { status: "ok", hasOverview: null, error: null };
  const isJapanese = language.things.includes("傘");
  const rate = Math.min(900, overviews[intent] + 5 * run.id - (isJapanese ? 60 : 0));
  return { status: "ok", hasOverview: pick(1000) < rate, error: null };
}

/** Gives the organic results, in order: ten at most, but for the few keywords that were asked for in depth. */
export function createOrganic(pick: Pick, keyword: SampleKeyword): readonly SampleLink[] {
  const count = keyword.id % 97 === 5 ? 120 : 6 + pick(5);
  const first = pick(sites.length);
  return Array.from({ length: count }, (_, index) => createLink(pick, keyword, first, index));
}

/** Gives what an AI Overview cites: some of it stands among the organic results too, and nothing twice. */
export function createCitations(
  pick: Pick,
  keyword: SampleKeyword,
  organic: readonly SampleLink[],
): readonly SampleLink[] {
  const first = pick(sites.length);
  return Array.from({ length: 2 + pick(6) }, (_, index) => {
    const shown = organic[index * 2];
    if (shown !== undefined && pick(2) === 0) return shown;
    return createLink(pick, keyword, first, deepest + index);
  });
}

/** Deeper than any organic result. */
const deepest = 200;

/** @param place tells the links of a page apart: each site comes once before one comes again, with its next page */
function createLink(
  pick: Pick,
  { id, text, language }: SampleKeyword,
  first: number,
  place: number,
): SampleLink {
  const domain = sites[(first + place * 5) % sites.length] ?? sites[0];
  const { titles } = language;
  const title = (titles[pick(titles.length)] ?? "{}").replace("{}", text);
  const slug = /^[ -~]+$/.test(text) ? text.replaceAll(" ", "-") : `p-${id}`;
  const round = Math.floor(place / sites.length);
  const path = round === 0 ? slug : `${slug}/${round + 1}`;
  return {
    url: `https://${chooseOwner(pick)}${domain}/${path}${chooseTail(pick)}`,
    domain,
    title: pick(30) === 0 ? null : title,
  };
}

/** Some links say who goes there: a tool must not give that out. */
function chooseOwner(pick: Pick): string {
  return pick(250) === 0 ? "reader:secret@" : "";
}

function chooseTail(pick: Pick): string {
  const chance = pick(20);
  if (chance === 0) return `?utm_source=serp&session=${100_000 + pick(900_000)}`;
  return chance === 1 ? "#:~:text=start" : "";
}
