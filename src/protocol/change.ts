/** What a server tells of its changes, and who has asked to hear of which. */

import type { NotificationMessage } from "./json-rpc.ts";
import type { SubscriptionFilter } from "./resource.ts";

export type Change =
  /** A list has other members than before. */
  | { readonly kind: "tools" | "prompts" | "resources" }
  /** One resource, or a part of it. */
  | { readonly kind: "resource"; readonly uri: string };

/** Gives `undefined` for a notification of anything else. */
export function parseChange({
  method,
  params,
}: Pick<NotificationMessage, "method" | "params">): Change | undefined {
  switch (method) {
    case "notifications/tools/list_changed":
      return { kind: "tools" };
    case "notifications/prompts/list_changed":
      return { kind: "prompts" };
    case "notifications/resources/list_changed":
      return { kind: "resources" };
    case "notifications/resources/updated": {
      const uri = params?.["uri"];
      return typeof uri === "string" ? { kind: "resource", uri } : undefined;
    }
  }
  return undefined;
}

export function toNotification(change: Change): NotificationMessage {
  return change.kind === "resource"
    ? {
        kind: "notification",
        method: "notifications/resources/updated",
        params: { uri: change.uri },
      }
    : {
        kind: "notification",
        method: `notifications/${change.kind}/list_changed`,
        params: {},
      };
}

/**
 * Whether a filter asks for a change. Who watches a resource hears of its parts too.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#subscriptions
 */
export function isWanted(filter: SubscriptionFilter, change: Change): boolean {
  switch (change.kind) {
    case "tools":
      return filter.toolsListChanged === true;
    case "prompts":
      return filter.promptsListChanged === true;
    case "resources":
      return filter.resourcesListChanged === true;
    case "resource":
      return filter.resourceSubscriptions?.some((uri) => isPartOf(change.uri, uri)) === true;
  }
}

/** A URI is divided at its delimiters (RFC 3986, section 2.2): `file:///a/b` is a part of `file:///a`, `file:///ab` is none. */
function isPartOf(uri: string, whole: string): boolean {
  if (!uri.startsWith(whole)) return false;
  const seam = uri.slice(Math.max(0, whole.length - 1), whole.length + 1);
  return uri.length === whole.length || /[:/?#[\]@]/.test(seam);
}
