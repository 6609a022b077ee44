/** One page of a list, with what every list carries. */

import type { JsonObject } from "../../protocol/index.ts";
import type { Call } from "../call.ts";
import { cutPage } from "../page.ts";
import { withCacheHints } from "./cache-hints.ts";

/**
 * Gives the page that the call asks for.
 *
 * @param member what the list is called in the result, such as `tools`
 */
export function listPage<Item>(
  call: Call,
  member: string,
  all: readonly Item[],
  encode: (item: Item) => JsonObject,
): JsonObject {
  const { pageSize } = call.catalogue.limits;
  const { items, ...next } = cutPage(all, call.params["cursor"], pageSize);
  return withCacheHints(call, { [member]: items.map(encode), ...next });
}
