/** Subscriptions: `resources/subscribe` and `unsubscribe` up to 2025-11-25, `subscriptions/listen` since. */

import {
  isStringArray,
  MetaKey,
  refuseParam,
  refuseParams,
  type JsonObject,
  type SubscriptionFilter,
} from "../../protocol/index.ts";
import type { Call } from "../call.ts";
import { maxUriLength } from "../uri-template.ts";
import { requireObject, requireString, type Method } from "./method.ts";
import { resourceNotFound } from "./resources.ts";

export const subscribe: Method = (call) => {
  const uri = requireString(call.params, "uri");
  const { subscribedUris } = call.peer;
  if (call.catalogue.resources.find(uri) === undefined) throw resourceNotFound(call, uri);
  if (!subscribedUris.has(uri)) checkCount(call, 1);
  subscribedUris.add(uri);
  return {};
};

export const unsubscribe: Method = (call) => {
  call.peer.subscribedUris.delete(requireString(call.params, "uri"));
  return {};
};

/** Stays open: its result comes only when the server ends the stream. */
export const listen: Method = (call) => {
  const { listeners } = call.peer;
  const filter = honour(call, parseFilter(requireObject(call.params, "notifications")));
  checkCount(call, countOf(filter));
  call.dropParams();
  const _meta = { [MetaKey.subscriptionId]: call.id };
  call.notify("notifications/subscriptions/acknowledged", { _meta, notifications: filter });
  return new Promise<JsonObject>((resolve) => {
    const end = (): void => {
      listeners.delete(call.id);
      resolve({ _meta });
    };
    listeners.set(call.id, { filter, end });
    call.signal.addEventListener("abort", end, { once: true });
  });
};

function parseFilter(asked: JsonObject): SubscriptionFilter {
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions } =
    asked;
  if (resourceSubscriptions !== undefined && !isStringArray(resourceSubscriptions)) {
    throw refuseParam("resourceSubscriptions", resourceSubscriptions, "an array of strings");
  }
  const long = resourceSubscriptions?.find((uri) => uri.length > maxUriLength);
  if (long !== undefined) {
    const what = `URIs of at most ${maxUriLength} characters`;
    throw refuseParam("resourceSubscriptions", long, what);
  }
  return {
    ...(toolsListChanged === true && { toolsListChanged }),
    ...(promptsListChanged === true && { promptsListChanged }),
    ...(resourcesListChanged === true && { resourcesListChanged }),
    ...(resourceSubscriptions !== undefined && { resourceSubscriptions }),
  };
}

/** Leaves of a filter what this server can keep. */
function honour(call: Call, filter: SubscriptionFilter): SubscriptionFilter {
  const { prompts, resources } = call.catalogue;
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions } =
    filter;
  return {
    ...(toolsListChanged === true && { toolsListChanged }),
    ...(promptsListChanged === true && prompts.isUsed && { promptsListChanged }),
    ...(resourcesListChanged === true && resources.isUsed && { resourcesListChanged }),
    ...(resourceSubscriptions !== undefined && resources.isUsed && { resourceSubscriptions }),
  };
}

/** A stream counts for itself and for each resource it watches. */
function countOf({ resourceSubscriptions }: SubscriptionFilter): number {
  return 1 + (resourceSubscriptions?.length ?? 0);
}

function checkCount(call: Call, added: number): void {
  const { subscribedUris, listeners } = call.peer;
  const { maxSubscriptions } = call.catalogue.limits;
  let count = subscribedUris.size + added;
  for (const { filter } of listeners.values()) count += countOf(filter);
  if (count <= maxSubscriptions) return;
  throw refuseParams(
    `There would be ${count} subscriptions on this connection, the most it takes is ${maxSubscriptions}`,
  );
}
