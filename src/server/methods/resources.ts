/** `resources/list`, `resources/templates/list` and `resources/read`. */

import { WireError } from "../../protocol/index.ts";
import type { Call } from "../call.ts";
import { toReadResult } from "../resource-registry.ts";
import { withCacheHints } from "./cache-hints.ts";
import { withInput } from "./input.ts";
import { listPage } from "./list-page.ts";
import { pickMembers, requireString, type Method } from "./method.ts";

export const listResources: Method = (call) =>
  listPage(call, "resources", call.catalogue.resources.fixed.values(), (resource) =>
    pickMembers(resource, call.revision.members.resource),
  );

export const listResourceTemplates: Method = (call) =>
  listPage(call, "resourceTemplates", call.catalogue.resources.templates.values(), (template) =>
    pickMembers(template, call.revision.members.resourceTemplate),
  );

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
