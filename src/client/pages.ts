/** Follows a list through all its pages, and never round in circles. */

import { describeValue, isObject, toPrintable, type JsonObject } from "../protocol/index.ts";
import type { CallOptions } from "./call-options.ts";
import type { Requester } from "./requester.ts";
import { ResultFailure, ServerError, type ClientError, createError } from "./client-error.ts";
import type { FreshResults } from "./fresh-results.ts";
import { weigh } from "./weigh.ts";

/** How many pages one list may have: it stops a server that always has another. */
export const maxPages = 1_000;

/** How many items one list may have: it bounds the memory. */
export const maxItems = 100_000;

/** How much of a server's one list is held, as `weigh()` weighs it: few pages of few items can be as long as lines may be. */
export const maxListBytes = 64 * 1024 * 1024;

export interface ListOptions extends CallOptions {
  /** Asks again for what is still fresh. */
  readonly refresh?: boolean;
}

export interface ListKind<Item> {
  readonly method: string;
  /** The member of the result that holds the items. */
  readonly member: string;
  readonly isItem: (item: unknown) => item is Item;
}

interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | undefined;
  readonly isKept: boolean;
  readonly bytes: number;
}

export async function listAll<Item>(
  requester: Requester,
  fresh: FreshResults,
  kind: ListKind<Item>,
  options: ListOptions,
): Promise<readonly Item[]> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let hasKeptPages = false;
  let bytes = 0;
  for (let count = 1; ; count++) {
    const page = await fetchPage(requester, fresh, kind, cursor, options).catch(
      (error: unknown) => {
        if (!(error instanceof ServerError)) throw error;
        if (cursor === "" && endsWithEmptyCursor(requester)) return undefined; // it refuses the cursor: there was no next page
        if (hasKeptPages) return "again" as const;
        throw error;
      },
    );
    if (page === undefined) break;
    if (page === "again") return listAll(requester, fresh, kind, { ...options, refresh: true }); // a kept page's cursor is over
    hasKeptPages ||= page.isKept;
    for (const item of page.items) items.push(item);
    bytes += page.bytes;
    if (bytes > maxListBytes)
      throw overLimit(
        kind,
        `over maxListBytes (${maxListBytes}) came with page ${count}, expected the end of the list`,
      );
    if (items.length > maxItems)
      throw overLimit(kind, `over maxItems (${maxItems}) items came, expected the end of the list`);
    if (page.nextCursor === undefined) break;
    if (seen.has(page.nextCursor)) {
      if (page.nextCursor === "" && endsWithEmptyCursor(requester)) {
        items.length -= page.items.length; // it took the cursor for no cursor and gave the first page again
        break;
      }
      const shown = toPrintable(page.nextCursor, 60);
      throw overLimit(
        kind,
        `page ${count} gave the cursor "${shown}" again (repeatedCursor), expected a new one or the end`,
      );
    }
    if (count >= maxPages)
      throw overLimit(
        kind,
        `page ${count} still has a next page (maxPages), expected the end of the list`,
      );
    seen.add(page.nextCursor);
    cursor = page.nextCursor;
  }
  return keepItems(items, kind, requester);
}

async function fetchPage<Item>(
  requester: Requester,
  fresh: FreshResults,
  kind: ListKind<Item>,
  cursor: string | undefined,
  options: ListOptions,
): Promise<Page> {
  const { method } = kind;
  const hasHints = requester.revision.cacheHints;
  const kept = hasHints && options.refresh !== true ? fresh.find(method, cursor) : undefined;
  if (kept !== undefined) return readPage(kept, kind, requester, true);
  const { generation } = fresh;
  const meta = requester.metaFor(options);
  const params = {
    ...(cursor === undefined ? {} : { cursor }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
  return requester.call(
    method,
    params,
    (result) => {
      const page = readPage(result, kind, requester, false);
      if (hasHints) fresh.keep(method, cursor, result, generation);
      return page;
    },
    options,
  );
}

function readPage<Item>(
  result: JsonObject,
  { member }: ListKind<Item>,
  requester: Requester,
  isKept: boolean,
): Page {
  const items = result[member];
  const { nextCursor } = result;
  if (!Array.isArray(items))
    throw new ResultFailure(
      `the result's "${member}" is ${describeValue(items)}, expected an array`,
    );
  const bytes = weigh(result, maxListBytes);
  if (nextCursor === undefined || typeof nextCursor === "string")
    return { items, nextCursor, isKept, bytes };
  if (nextCursor !== null) {
    throw new ResultFailure(
      `the result's "nextCursor" is ${describeValue(nextCursor)}, expected a string`,
    );
  }
  requester.connection.observations.remark(
    `"nextCursor" is null, expected none at the end of a list`,
  );
  return { items, nextCursor: undefined, isKept, bytes };
}

/** One unusable item is no reason to lose the others. */
function keepItems<Item>(
  items: readonly unknown[],
  { member, isItem }: ListKind<Item>,
  requester: Requester,
): readonly Item[] {
  const { observations } = requester.connection;
  const kept = items.filter(isItem);
  const lost = items.length - kept.length;
  if (lost > 0)
    observations.remark(`${lost} of ${items.length} ${member} cannot be used and were left out`);
  if (member !== "tools") return kept;
  const odd = items.filter(
    (item) =>
      isObject(item) && isObject(item["inputSchema"]) && item["inputSchema"]["type"] !== "object",
  );
  if (odd.length > 0)
    observations.remark(
      `${odd.length} of ${items.length} tools have an inputSchema that is not of the type "object"`,
    );
  return kept;
}

/** Since 2026-07-28 `""` is a cursor; before, some servers end their lists by it. */
function endsWithEmptyCursor(requester: Requester): boolean {
  return requester.revision.era === "handshake";
}

function overLimit<Item>({ method }: ListKind<Item>, what: string): ClientError {
  return createError(`Cannot list "${method}"`, { code: "limit", what });
}
