/** Subscriptions: `resources/subscribe` and `unsubscribe` up to 2025-11-25, `subscriptions/listen` since. */

import {
  describeValue,
  ErrorCode,
  isObject,
  isStringArray,
  MetaKey,
  WireError,
  type JsonObject,
  type SubscriptionFilter,
} from "../../protocol/index.ts";
import type { Call } from "../call.ts";
import { requireString, type Method } from "./method.ts";
import { resourceNotFound } from "./resources.ts";

export const subscribe: Method = (call) => {
  const uri = requireString(call.params, "uri");
  const { subscribedUris } = call.peer;
  if (call.catalogue.resources.find(uri) === undefined) throw resourceNotFound(call, uri);
  checkCount(call, subscribedUris.size + 1);
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
  const filter = honour(call, parseFilter(call.params["notifications"]));
  checkCount(call, listeners.size + (filter.resourceSubscriptions?.length ?? 0) + 1);
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

function parseFilter(value: unknown): SubscriptionFilter {
  if (!isObject(value))
    throw invalid(`"notifications" is ${describeValue(value)}, expected an object`);
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions } =
    value;
  if (resourceSubscriptions !== undefined && !isStringArray(resourceSubscriptions)) {
    throw invalid(
      `"resourceSubscriptions" is ${describeValue(resourceSubscriptions)}, expected an array of strings`,
    );
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
    ...(promptsListChanged === true && !prompts.isEmpty && { promptsListChanged }),
    ...(resourcesListChanged === true && !resources.isEmpty && { resourcesListChanged }),
    ...(resourceSubscriptions !== undefined && !resources.isEmpty && { resourceSubscriptions }),
  };
}

function checkCount(call: Call, count: number): void {
  const { maxSubscriptions } = call.catalogue.limits;
  if (count <= maxSubscriptions) return;
  throw invalid(
    `There would be ${count} subscriptions on this connection, the most it takes is ${maxSubscriptions}`,
  );
}

function invalid(message: string): WireError {
  return new WireError(ErrorCode.InvalidParams, message);
}
