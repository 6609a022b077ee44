/** Which function answers which method. */

import {
  ErrorCode,
  WireError,
  type ClientRequestMethod,
  type Revision,
} from "../../protocol/index.ts";
import { hasCompletions, type Catalogue } from "../catalogue.ts";
import { discover, initialize, ping } from "./lifecycle.ts";
import type { Method } from "./method.ts";

interface Entry {
  /** Gives the function, or loads its file: a server opens sooner when it reads only what it is asked for. */
  readonly load: () => Method | Promise<Method>;
  /** Whether a server has it: a method behind a capability that is not declared does not exist. */
  readonly isThere?: (catalogue: Catalogue) => boolean;
}

const hasResources = ({ resources }: Catalogue): boolean => resources.isUsed;
const hasPrompts = ({ prompts }: Catalogue): boolean => prompts.isUsed;
const hasLogging = (catalogue: Catalogue): boolean => catalogue.hasLogging;

const tools = () => import("./tools.ts");
const resources = () => import("./resources.ts");
const prompts = () => import("./prompts.ts");
const subscriptions = () => import("./subscriptions.ts");

const entries: { readonly [Name in ClientRequestMethod]: Entry } = {
  initialize: { load: () => initialize },
  "server/discover": { load: () => discover },
  ping: { load: () => ping },
  "tools/list": { load: async () => (await tools()).listTools },
  "tools/call": { load: async () => (await tools()).callTool },
  "resources/list": { load: async () => (await resources()).listResources, isThere: hasResources },
  "resources/templates/list": {
    load: async () => (await resources()).listResourceTemplates,
    isThere: hasResources,
  },
  "resources/read": { load: async () => (await resources()).readResource, isThere: hasResources },
  "resources/subscribe": {
    load: async () => (await subscriptions()).subscribe,
    isThere: hasResources,
  },
  "resources/unsubscribe": {
    load: async () => (await subscriptions()).unsubscribe,
    isThere: hasResources,
  },
  "subscriptions/listen": { load: async () => (await subscriptions()).listen },
  "prompts/list": { load: async () => (await prompts()).listPrompts, isThere: hasPrompts },
  "prompts/get": { load: async () => (await prompts()).getPrompt, isThere: hasPrompts },
  "completion/complete": {
    load: async () => (await import("./completion.ts")).complete,
    isThere: hasCompletions,
  },
  "logging/setLevel": {
    load: async () => (await import("./logging.ts")).setLevel,
    isThere: hasLogging,
  },
};

/** The functions found so far. */
const found = new Map<ClientRequestMethod, Method>();

/** Finds the function for a method that the revision has and the server offers. Throws a `WireError` (-32601) for any other. */
export function findMethod(
  name: string,
  revision: Revision,
  catalogue: Catalogue,
): Method | Promise<Method> {
  if (!isClientRequest(name) || !revision.clientRequests.has(name)) throw methodNotFound(name);
  const { load, isThere } = entries[name];
  if (isThere !== undefined && !isThere(catalogue)) throw methodNotFound(name);
  return found.get(name) ?? keep(name, load());
}

let isLoadingNext = false;

/** Loads what nearly every client asks for next, once in a process, while the client reads its first reply. */
export function loadNextMethods(): void {
  if (isLoadingNext) return;
  isLoadingNext = true;
  setTimeout(() => {
    void keep("tools/list", entries["tools/list"].load());
    void keep("tools/call", entries["tools/call"].load());
  }, 1).unref();
}

function keep(
  name: ClientRequestMethod,
  method: Method | Promise<Method>,
): Method | Promise<Method> {
  if (method instanceof Promise) return method.then((loaded) => keep(name, loaded));
  found.set(name, method);
  return method;
}

/** Is true for a method that some revision has. */
export function isClientRequest(name: string): name is ClientRequestMethod {
  return Object.hasOwn(entries, name);
}

export function methodNotFound(name: string): WireError {
  return new WireError(ErrorCode.MethodNotFound, "Method not found", { data: { method: name } });
}
