/** Adds to a result what its era wants on every result. */

import { MetaKey, type JsonObject } from "../protocol/index.ts";
import type { Call } from "./call.ts";

/** Adds `resultType` and the server's name in the stateless era; gives a handshake-era result as it is. */
export function sealResult(result: JsonObject, { revision, catalogue }: Call): JsonObject {
  if (revision.era === "handshake") return result;
  const { _meta, resultType = "complete" } = result;
  const server = { [MetaKey.serverInfo]: catalogue.info };
  return { ...result, resultType, _meta: typeof _meta === "object" ? { ..._meta, ...server } : server };
}
