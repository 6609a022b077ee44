/** Cleans what one answer shows of the database, and counts what it took away: the result says so. */

import {
  addRemoved,
  describeRemoved,
  nothingRemoved,
  sanitiseText,
  sanitiseUrl,
  type Removed,
} from "../gate/index.ts";
import type { Value } from "../sqlite/index.ts";
import type { Cells } from "./cells.ts";
import { hostLimit, rawUrlLimit, urlLimit } from "./field-limits.ts";

export interface Cleaner {
  /** Gives a text of one line within its limit; `null` for NULL, and for what is no text. */
  readonly text: (cells: Cells, column: string, limit: number) => string | null;
  /** Gives the name of a host, in ASCII so that no letter passes for another; anything else is `null`. */
  readonly domain: (cells: Cells, column: string) => string | null;
  readonly url: (cells: Cells, column: string) => ShownUrl;
  /** Counts what somebody else took away. */
  readonly note: (removed: Removed) => void;
  /** Whether anything that is stored was taken away or is withheld. */
  readonly isRedacted: () => boolean;
  readonly isCut: () => boolean;
  /** Says what was taken away, in a sentence for each kind. */
  readonly describe: () => readonly string[];
}

export interface ShownUrl {
  readonly url: string | null;
  /** Why a URL that is stored is not shown. */
  readonly url_reason?: string;
}

export function createCleaner(): Cleaner {
  let removed = nothingRemoved;
  let cutTexts = 0;
  const parts = { userinfo: 0, query: 0, fragment: 0 };
  const withheld = { urls: 0, domains: 0, blobs: 0, broken: 0 };

  const read = (value: Value | undefined): string | undefined => {
    if (typeof value === "string") return value;
    if (typeof value === "number") return String(value);
    if (value === undefined || value === null) return undefined;
    if ("text" in value) withheld.broken++;
    else withheld.blobs++;
    return "text" in value ? value.text : undefined;
  };

  const text: Cleaner["text"] = (cells, column, limit) => {
    const stored = read(cells[column]);
    if (stored === undefined) return null;
    const isCut = wasCut(cells, column);
    const clean = sanitiseText(isCut ? `${stored}…` : stored, { maxLength: limit, lines: false });
    if (isCut || clean.removed.cut > 0) cutTexts++;
    removed = addRemoved(removed, { ...clean.removed, cut: 0 });
    return clean.text;
  };

  return {
    text,
    domain: (cells, column) => {
      const stored = read(cells[column]);
      if (stored === undefined) return null;
      const host = wasCut(cells, column) ? undefined : readHost(stored);
      if (host === undefined) withheld.domains++;
      return host ?? null;
    },
    url: (cells, column) => {
      const stored = read(cells[column]);
      if (stored === undefined) return { url: null };
      const shown = wasCut(cells, column) ? tooLong : sanitiseUrl(stored, urlLimit);
      if (shown.url === undefined) {
        withheld.urls++;
        return { url: null, url_reason: shown.reason };
      }
      for (const part of shown.removed) parts[part]++;
      return { url: shown.url };
    },
    note: (more) => {
      removed = addRemoved(removed, more);
    },
    isRedacted: () => {
      return hasCounts(removed) || hasCounts(parts) || hasCounts(withheld);
    },
    isCut: () => cutTexts > 0,
    describe: () => [
      ...[describeRemoved(removed)].filter((sentence) => sentence !== undefined),
      ...(cutTexts > 0 ? [`Texts cut to their limit: ${cutTexts}`] : []),
      ...(hasCounts(parts) ? [`Removed from URLs: ${listCounts(parts)}`] : []),
      ...(hasCounts(withheld) ? [`Not shown as stored: ${listCounts(withheld)}`] : []),
    ],
  };
}

const tooLong = {
  url: undefined,
  reason: `it has more than ${rawUrlLimit} characters`,
} as const;

function wasCut(cells: Cells, column: string): boolean {
  return cells[`${column}_cut`] === 1;
}

/** Gives `undefined` for what is no name of a host. */
function readHost(stored: string): string | undefined {
  const name = stored.trim();
  if (/^[\w.-]+$/.test(name)) return name;
  if (/[\s/\\?#@:%[\]]/.test(name)) return undefined;
  const host = URL.parse(`http://${name}/`)?.hostname;
  return host === undefined || host.length > hostLimit ? undefined : host;
}

const labels: Readonly<Record<string, string>> = {
  urls: "URLs that are not plain http or https (url_reason says why)",
  domains: "domains that are no name of a host",
  blobs: "values that are no text",
  broken: "texts that are no UTF-8 (their broken parts are U+FFFD)",
};

type Counts = Readonly<Record<string, number>>;

function hasCounts(counts: Counts): boolean {
  return Object.values(counts).some((count) => count > 0);
}

function listCounts(counts: Counts): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${labels[name] ?? name}: ${count}`)
    .join(", ");
}
