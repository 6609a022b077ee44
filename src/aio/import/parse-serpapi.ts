/**
 * Reads a page of SerpApi's Google Search API, or an AI Overview that was fetched by itself, by its engine `google_ai_overview`.
 *
 * @see https://serpapi.com/search-api
 * @see https://serpapi.com/ai-overview
 * @see https://serpapi.com/search-errors
 */

import { isObject, type JsonObject } from "../../protocol/index.ts";
import { cut, listOf, makeLinks, readTime, textOf, withoutTwins } from "./fields.ts";
import {
  importLimits,
  type Conditions,
  type Overview,
  type Parsed,
  type ResultPage,
} from "./page.ts";

/** Is true for what only SerpApi sends. */
export function isSerpApi(value: JsonObject): boolean {
  return isObject(value["search_metadata"]) || isObject(value["search_parameters"]);
}

export function parseSerpApi(value: JsonObject): Parsed {
  const metadata = objectOf(value["search_metadata"]);
  const parameters = objectOf(value["search_parameters"]);
  const status = textOf(metadata["status"]);
  if (status === "Processing" || status === "Queued")
    return { fault: `its search is "${status}" still, expected one that has ended` };
  const engine = textOf(parameters["engine"]) ?? "google";
  if (engine === "google_ai_overview") return parseLateOverview(value, parameters);
  const fault = findFault(engine, parameters);
  if (fault !== undefined) return { fault };
  const keyword = textOf(parameters["q"]);
  if (keyword === undefined)
    return { fault: "it does not say what was searched for, expected search_parameters.q" };
  const base = {
    provider: "SerpApi",
    keyword,
    conditions: readConditions(engine, parameters),
    fetchedAt: readTime(metadata["processed_at"]) ?? readTime(metadata["created_at"]),
  } as const;
  const error = findError(value, status);
  if (error !== undefined)
    return one({ ...base, status: "failed", error, overview: failed, organic: [] });
  const results = listOf(value["organic_results"]).filter(isObject);
  const isWhole =
    status === "Success" &&
    (Array.isArray(value["organic_results"]) || isObject(value["search_information"]));
  return one({
    ...base,
    status: "ok",
    error: null,
    overview: readOverview(value["ai_overview"], isWhole),
    organic: makeLinks(
      results.map(({ position, link, title }) => ({ position, url: link, title })),
    ),
  });
}

/** Any error fails the page, also that there are no results: nobody can tell a query without any from a page that was refused. */
function findError(value: JsonObject, status: string | undefined): string | undefined {
  const error = textOf(value["error"]);
  if (error !== undefined) return cut(error, importLimits.error);
  return status === undefined || status === "Success"
    ? undefined
    : `The search ended as "${cut(status, 60)}"`;
}

const failed: Overview = { kind: "unknown", reason: "the page failed" };

/** Other engines and later pages never show an AI Overview: to count them would make it rarer than it is. */
function findFault(engine: string, { tbm, start }: JsonObject): string | undefined {
  if (engine !== "google") return `it is of the engine "${cut(engine, 60)}", expected google`;
  if (textOf(tbm) !== undefined)
    return `it is no page of the web search but of "${cut(String(tbm), 20)}", expected one without tbm`;
  if (start !== undefined && Number(start) !== 0)
    return "it is not the first page of results, expected one without start";
  return undefined;
}

function readConditions(engine: string, parameters: JsonObject): Conditions {
  const language = textOf(parameters["hl"]);
  const country = textOf(parameters["gl"]);
  const place =
    textOf(parameters["location_used"]) ??
    textOf(parameters["location_requested"]) ??
    textOf(parameters["location"]);
  return {
    engine,
    locale:
      language === undefined && country === undefined
        ? null
        : [language ?? "und", ...(country === undefined ? [] : [country.toUpperCase()])].join("-"),
    device: textOf(parameters["device"]) ?? "desktop",
    location: place ?? null,
  };
}

/**
 * @param isWhole whether there is all that the search gave: only then does an overview that is not there say that there is none
 */
function readOverview(value: unknown, isWhole: boolean): Overview {
  if (value === undefined || value === null)
    return isWhole
      ? { kind: "absent" }
      : {
          kind: "unknown",
          reason: "the page is not whole, so an AI Overview may have been left out",
        };
  const overview = objectOf(value);
  const references = listOf(overview["references"]).filter(isObject);
  if (references.length > 0 || listOf(overview["text_blocks"]).length > 0) {
    const links = references.map(({ link: url, title, source }) => ({ url, title, source }));
    return { kind: "present", citations: makeLinks(withoutTwins(links)) };
  }
  const token = textOf(overview["page_token"]);
  if (token !== undefined)
    return {
      kind: "unknown",
      reason: "the AI Overview was announced by a page_token and not fetched",
      token,
    };
  const error = textOf(overview["error"]);
  const reason =
    error === undefined
      ? "the AI Overview is empty"
      : `the AI Overview could not be made: ${cut(error, 200)}`;
  return { kind: "unknown", reason };
}

function parseLateOverview(value: JsonObject, { page_token: given }: JsonObject): Parsed {
  const token = textOf(given);
  if (token === undefined)
    return {
      fault: "it does not say which page it belongs to, expected search_parameters.page_token",
    };
  const error = textOf(value["error"]);
  const overview: Overview =
    error === undefined
      ? readOverview(value["ai_overview"], false)
      : { kind: "unknown", reason: `the AI Overview was not fetched: ${cut(error, 200)}` };
  return { pages: [], overviews: [{ token, overview }] };
}

function one(page: ResultPage): Parsed {
  return { pages: [page], overviews: [] };
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
