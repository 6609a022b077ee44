/** `resources/list`, `resources/templates/list` and `resources/read`. */

import { WireError } from "../../protocol/index.ts";
import type { Call } from "../call.ts";
import { cutPage } from "../page.ts";
import { toReadResult } from "../resource-registry.ts";
import { withCacheHints } from "./cache-hints.ts";
import { withInput } from "./input.ts";
import { pickMembers, requireString, type Method } from "./method.ts";

export const listResources: Method = (call) => {
  const { resources, limits } = call.catalogue;
  const { items, ...next } = cutPage(
    resources.resources.values(),
    call.params["cursor"],
    limits.pageSize,
  );
  const { members } = call.revision;
  return withCacheHints(call, {
    resources: items.map((item) => pickMembers(item, members.resource)),
    ...next,
  });
};

export const listResourceTemplates: Method = (call) => {
  const { resources, limits } = call.catalogue;
  const { items, ...next } = cutPage(
    resources.templates.values(),
    call.params["cursor"],
    limits.pageSize,
  );
  const { members } = call.revision;
  const resourceTemplates = items.map((item) => pickMembers(item, members.resourceTemplate));
  return withCacheHints(call, { resourceTemplates, ...next });
};

export const readResource: Method = (call) => {
  const uri = requireString(call.params, "uri");
  const found = call.catalogue.resources.find(uri);
  if (found === undefined) throw resourceNotFound(call, uri);
  return withInput(call, async () => {
    const value = await found.read(call);
    if (value === undefined) throw resourceNotFound(call, uri);
    return withCacheHints(call, toReadResult(uri, found.mimeType, value), found.cache);
  });
};

/** Makes the error for a URI that leads nowhere, with the code that the caller's revision has for it. */
export function resourceNotFound(call: Call, uri: string): WireError {
  return new WireError(call.revision.resourceNotFound, "Resource not found", { data: { uri } });
}
