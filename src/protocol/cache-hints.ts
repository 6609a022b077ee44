/** Cache hints. */

/** How long, and by whom, a list may be kept; since 2026-07-28. */
export interface CacheHints {
  readonly ttlMs: number;
  readonly cacheScope: "public" | "private";
}
