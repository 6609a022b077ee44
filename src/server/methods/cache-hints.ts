/** Says how long a result may be kept, where the caller's revision has words for it. */

import type { CacheHints, JsonObject } from "../../protocol/index.ts";
import type { Call } from "../call.ts";

/** Adds `ttlMs` and `cacheScope`; since 2026-07-28 every list and every read must carry them. */
export function withCacheHints(
  call: Call,
  result: JsonObject,
  hints: CacheHints = call.catalogue.cache,
): JsonObject {
  return call.revision.cacheHints
    ? { ...result, ttlMs: hints.ttlMs, cacheScope: hints.cacheScope }
    : result;
}
