/** The handshake era's way to ask the client: a request of the server's own, awaited. */

import { isObject, type JsonObject } from "../protocol/index.ts";
import type { Call } from "./call.ts";
import type { Ask } from "./questions.ts";

/** Makes the way of asking for one call. */
export function askByRequest(call: Call): Ask {
  return (method, params) =>
    call.peer.ask(method, toWireParams(call, params), call.id, call.signal);
}

/** Adds the id that 2025-11-25 wants on a URL elicitation. */
function toWireParams(call: Call, params: object): JsonObject {
  const isUrl = isObject(params) && params["mode"] === "url";
  return isUrl && call.revision.elicitationIds
    ? { ...params, elicitationId: crypto.randomUUID() }
    : { ...params };
}
