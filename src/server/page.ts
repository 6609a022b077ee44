/** Cuts lists into pages with opaque cursors. */

import { refuseParam } from "../protocol/index.ts";

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/** Gives the page that a cursor points to. Throws a `WireError` (-32602) for a cursor that this list did not give out. */
export function cutPage<Item>(items: readonly Item[], cursor: unknown, size: number): Page<Item> {
  const start = cursor === undefined ? 0 : parseCursor(cursor, items.length);
  const end = start + size;
  const page = items.slice(start, end);
  return end < items.length ? { items: page, nextCursor: formatCursor(end) } : { items: page };
}

function formatCursor(offset: number): string {
  return btoa(`from:${offset}`);
}

function parseCursor(cursor: unknown, length: number): number {
  const offset =
    typeof cursor === "string" ? /^from:(\d{1,9})$/.exec(decode(cursor))?.[1] : undefined;
  const start = Number(offset);
  if (offset === undefined || start >= length) {
    throw refuseParam("cursor", cursor, "one from an earlier page");
  }
  return start;
}

function decode(cursor: string): string {
  try {
    return atob(cursor);
  } catch {
    return ""; // not base64: no cursor of ours
  }
}
