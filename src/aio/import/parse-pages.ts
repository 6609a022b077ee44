/** Reads the bytes of a file as pages of search results, in whichever of the known formats they are. */

import { isUtf8 } from "node:buffer";
import { describeValue, isObject } from "../../protocol/index.ts";
import { isDataForSeo, parseDataForSeo } from "./parse-dataforseo.ts";
import { isSerpApi, parseSerpApi } from "./parse-serpapi.ts";
import { importLimits, type LateOverview, type Parsed, type ResultPage } from "./page.ts";

/** A file holds one answer, or a list of them; one that is faulty makes the whole file so. */
export function parsePages(bytes: Uint8Array): Parsed {
  if (!isUtf8(bytes)) return { fault: "it is no UTF-8, expected JSON" };
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes)); // takes away a byte order mark
  } catch {
    return { fault: "it is no JSON, expected a page of results" }; // the message would quote what stands there
  }
  const answers: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (answers.length === 0) return { fault: "it is an empty list, expected a page of results" };
  const pages: ResultPage[] = [];
  const overviews: LateOverview[] = [];
  for (const answer of answers) {
    const parsed = parseAnswer(answer);
    if ("fault" in parsed) return parsed;
    pages.push(...parsed.pages);
    overviews.push(...parsed.overviews);
    if (pages.length > importLimits.pages)
      return { fault: `it has more than ${importLimits.pages} pages, expected fewer` };
  }
  const fault = pages.map(findFault).find((each) => each !== undefined);
  return fault === undefined ? { pages, overviews } : { fault };
}

function parseAnswer(answer: unknown): Parsed {
  if (!isObject(answer))
    return { fault: `it holds ${describeValue(answer)}, expected a page of results` };
  if (isDataForSeo(answer)) return parseDataForSeo(answer);
  if (isSerpApi(answer)) return parseSerpApi(answer);
  if (typeof answer["error"] === "string")
    return {
      fault: "it is an error that does not say what was searched for, expected a page of results",
    };
  return {
    fault: "it is no page of SerpApi (search_metadata) or DataForSEO (tasks), expected one of them",
  };
}

function findFault({ keyword, organic, overview }: ResultPage): string | undefined {
  if (keyword.length > importLimits.keyword)
    return `its keyword has ${keyword.length} characters, expected at most ${importLimits.keyword}`;
  const cited = overview.kind === "present" ? overview.citations.length : 0;
  const most = Math.max(organic.length, cited);
  if (most > importLimits.links)
    return `a page has ${most} results of one kind, expected at most ${importLimits.links}`;
  return undefined;
}
