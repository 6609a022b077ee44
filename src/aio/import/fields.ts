/** Takes single values out of what a provider has sent, none of which can be relied on. */

import { importLimits, type Link } from "./page.ts";

/** Gives a text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Cuts between two characters. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const isWithinPair = (text.codePointAt(length - 2) ?? 0) > 0xffff;
  return `${text.slice(0, isWithinPair ? length - 2 : length - 1)}…`;
}

/** Reads the times of both providers, such as `2026-02-16 06:06:48 UTC` and `2026-02-16 06:06:48 +00:00`, as ISO 8601 in UTC. */
export function readTime(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const form =
    /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d{1,9})? ?(?:UTC|(Z|[+-]\d{2}:?\d{2}))$/;
  const [, day, time, zone = "Z"] = form.exec(value) ?? [];
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(ms) ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

export interface RawLink {
  readonly position?: unknown;
  readonly url: unknown;
  readonly domain?: unknown;
  readonly title: unknown;
  /** The name of the site, for a link without a title. */
  readonly source?: unknown;
}

/** No page of results goes as deep. */
const deepest = 100_000;

/** Makes links of which no two have the same position: one that has none, or a taken one, comes after all before it. */
export function makeLinks(list: readonly RawLink[]): readonly Link[] {
  const taken = new Set<number>();
  let last = 0;
  return list.map(({ position, url, domain, title, source }) => {
    const isFit =
      typeof position === "number" &&
      Number.isInteger(position) &&
      position >= 1 &&
      position <= deepest;
    const place = isFit && !taken.has(position) ? position : last + 1;
    taken.add(place);
    last = Math.max(last, place);
    return { position: place, ...readUrl(url, domain), title: cutOrNull(textOf(title) ?? source) };
  });
}

/** Leaves out links that lead where one before leads, but takes a title from them where that one has none. */
export function withoutTwins(list: readonly RawLink[]): readonly RawLink[] {
  const kept = new Map<unknown, RawLink>();
  for (const link of list) {
    const place = textOf(link.url) ?? link; // without a URL it has no twin
    const twin = kept.get(place);
    if (twin === undefined) kept.set(place, link);
    else if (textOf(twin.title) === undefined) kept.set(place, { ...twin, title: link.title });
  }
  return [...kept.values()];
}

function cutOrNull(title: unknown): string | null {
  const text = textOf(title);
  return text === undefined ? null : cut(text, importLimits.title);
}

/** The domain is the host of the URL; what the provider calls one is for links without a URL. */
function readUrl(url: unknown, domain: unknown): Pick<Link, "url" | "domain"> {
  const parsed = typeof url === "string" && url.length <= importLimits.url ? URL.parse(url) : null;
  if (parsed !== null && /^https?:$/.test(parsed.protocol))
    return { url: String(url), domain: parsed.host };
  const name = textOf(domain);
  return { url: null, domain: name === undefined || name.length > 253 ? null : name };
}
