/** Which function answers which method. */

import { ErrorCode, WireError, type ClientRequestMethod, type Revision } from "../../protocol/index.ts";
import { hasCompletions, type Catalogue } from "../catalogue.ts";
import { complete } from "./completion.ts";
import { discover, initialize, ping } from "./lifecycle.ts";
import { setLevel } from "./logging.ts";
import type { Method } from "./method.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, listResourceTemplates, readResource } from "./resources.ts";
import { listen, subscribe, unsubscribe } from "./subscriptions.ts";
import { callTool, listTools } from "./tools.ts";

interface Entry {
  readonly method: Method;
  /** Whether a server has it; a method behind a capability that is not declared does not exist. */
  readonly isThere?: (catalogue: Catalogue) => boolean;
}

const hasResources = ({ resources }: Catalogue): boolean => !resources.isEmpty;
const hasPrompts = ({ prompts }: Catalogue): boolean => !prompts.isEmpty;

const entries: { readonly [Name in ClientRequestMethod]: Entry } = {
  initialize: { method: initialize },
  "server/discover": { method: discover },
  ping: { method: ping },
  "tools/list": { method: listTools },
  "tools/call": { method: callTool },
  "resources/list": { method: listResources, isThere: hasResources },
  "resources/templates/list": { method: listResourceTemplates, isThere: hasResources },
  "resources/read": { method: readResource, isThere: hasResources },
  "resources/subscribe": { method: subscribe, isThere: hasResources },
  "resources/unsubscribe": { method: unsubscribe, isThere: hasResources },
  "subscriptions/listen": { method: listen },
  "prompts/list": { method: listPrompts, isThere: hasPrompts },
  "prompts/get": { method: getPrompt, isThere: hasPrompts },
  "completion/complete": { method: complete, isThere: hasCompletions },
  "logging/setLevel": { method: setLevel, isThere: ({ hasLogging }) => hasLogging },
};

/** Finds the function for a method that the revision has and the server offers. Throws a `WireError` (-32601) for any other. */
export function findMethod(name: string, revision: Revision, catalogue: Catalogue): Method {
  if (isClientRequest(name) && revision.clientRequests.has(name)) {
    const { method, isThere } = entries[name];
    if (isThere === undefined || isThere(catalogue)) return method;
  }
  throw methodNotFound(name);
}

export function methodNotFound(name: string): WireError {
  return new WireError(ErrorCode.MethodNotFound, "Method not found", { data: { method: name } });
}

/** Is true for a method that some revision has. */
export function isClientRequest(name: string): name is ClientRequestMethod {
  return Object.hasOwn(entries, name);
}
