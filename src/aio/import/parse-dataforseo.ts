/**
 * Reads the answer of DataForSEO's SERP API, Google Organic, `advanced`: each of its tasks is a page.
 *
 * @see https://docs.dataforseo.com/v3/serp/google/organic/live/advanced/
 * @see https://docs.dataforseo.com/v3/appendix/errors/
 */

import { isObject, type JsonObject } from "../../protocol/index.ts";
import { cut, listOf, makeLinks, readTime, textOf, withoutTwins, type RawLink } from "./fields.ts";
import {
  importLimits,
  type Conditions,
  type Overview,
  type Parsed,
  type ResultPage,
} from "./page.ts";

/** Is true for what only DataForSEO sends. */
export function isDataForSeo(value: JsonObject): boolean {
  return "tasks" in value && "status_code" in value;
}

export function parseDataForSeo(value: JsonObject): Parsed {
  const tasks = listOf(value["tasks"]).filter(isObject);
  if (tasks.length === 0)
    return { fault: `the answer has no task: ${describeStatus(value)}, expected results` };
  const pages: ResultPage[] = [];
  for (const task of tasks) {
    const page = parseTask(task);
    if (typeof page === "string") return { fault: page };
    pages.push(page);
  }
  return { pages, overviews: [] };
}

const done = 20_000;
/** Created, handed on, in the queue: there will be a result, somewhere else. */
const pending: ReadonlySet<unknown> = new Set([20_100, 40_601, 40_602]);

/** Gives the page, or what is wrong with the task. */
function parseTask(task: JsonObject): ResultPage | string {
  const data = isObject(task["data"]) ? task["data"] : {};
  const fault = findFault(task, data);
  if (fault !== undefined) return fault;
  const results = listOf(task["result"]).filter(isObject);
  const [result] = results;
  if (results.length > 1) return `a task has ${results.length} results, expected one`;
  const keyword = textOf(data["keyword"]) ?? textOf(result?.["keyword"]);
  if (keyword === undefined)
    return "a task does not say what was searched for, expected data.keyword";
  const base = {
    provider: "DataForSEO",
    keyword,
    conditions: readConditions(data, result),
    fetchedAt: readTime(result?.["datetime"]),
  } as const;
  const items = listOf(result?.["items"]).filter(isObject);
  if (task["status_code"] !== done || result === undefined || items.length === 0) {
    const error =
      task["status_code"] === done ? "The task is done and has no items" : describeStatus(task);
    return { ...base, status: "failed", error, overview: failed, organic: [] };
  }
  return {
    ...base,
    status: "ok",
    error: null,
    overview: readOverview(items, result),
    organic: makeLinks(
      items
        .filter(({ type }) => type === "organic")
        .map(({ rank_group: position, url, domain, title }) => ({ position, url, domain, title })),
    ),
  };
}

const failed: Overview = { kind: "unknown", reason: "the page failed" };

/** `regular` and `html` results never say whether there was an AI Overview. */
function findFault(task: JsonObject, data: JsonObject): string | undefined {
  const path = listOf(task["path"]).map(String);
  const place =
    path.length > 0
      ? path.join("/")
      : ["serp", textOf(data["se"]), textOf(data["se_type"])].join("/");
  const isOrganic = /(?:^|\/)serp\/google\/organic(?:\/|$)/.test(place);
  if (!isOrganic || (path.length > 0 && !path.includes("advanced")))
    return `a task is of "${cut(place, 100)}", expected serp/google/organic/…/advanced`;
  if (pending.has(task["status_code"]))
    return `a task is not done: ${describeStatus(task)}, expected its result`;
  return undefined;
}

function describeStatus({ status_code: code, status_message: message }: JsonObject): string {
  const text = textOf(message) ?? "no message";
  return cut(`${typeof code === "number" ? code : "no status"} ${text}`, importLimits.error);
}

function readConditions(data: JsonObject, result: JsonObject = {}): Conditions {
  const code = data["location_code"] ?? result["location_code"];
  const location =
    textOf(data["location_name"]) ??
    textOf(data["location_coordinate"]) ??
    (typeof code === "number" ? `location_code ${code}` : null);
  const locale = textOf(data["language_code"]) ?? textOf(result["language_code"]);
  return {
    engine: "google",
    locale: locale ?? textOf(data["language_name"]) ?? null,
    device: textOf(data["device"]) ?? "desktop",
    location,
  };
}

/** An overview stays marked as loaded later also when its contents are there: only the contents count. */
function readOverview(items: readonly JsonObject[], result: JsonObject): Overview {
  const overviews = items.filter(({ type }) => type === "ai_overview");
  const filled = overviews.filter(
    ({ items: parts, references, markdown }) =>
      listOf(parts).length > 0 || listOf(references).length > 0 || textOf(markdown) !== undefined,
  );
  if (filled.length > 0)
    return {
      kind: "present",
      citations: makeLinks(withoutTwins(filled.flatMap((overview) => listReferences(overview, 4)))),
    };
  if (overviews.length > 0)
    return {
      kind: "unknown",
      reason: "the AI Overview was announced and not loaded (load_async_ai_overview)",
    };
  if (listOf(result["item_types"]).includes("ai_overview"))
    return {
      kind: "unknown",
      reason: "the AI Overview is named in item_types and not among the items",
    };
  return { kind: "absent" };
}

/** Lists what an overview refers to as a whole, then what its parts, and theirs, refer to. */
function listReferences(part: JsonObject, depth: number): readonly RawLink[] {
  const own = listOf(part["references"])
    .filter(isObject)
    .map(({ url, domain, title, source }) => ({ url, domain, title, source }));
  if (depth === 0) return own;
  const inner = [...listOf(part["items"]), ...listOf(part["components"])].filter(isObject);
  return [...own, ...inner.flatMap((each) => listReferences(each, depth - 1))];
}
