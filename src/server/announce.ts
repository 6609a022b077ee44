/** Tells a peer what has changed, if it asked to know. */

import { MetaKey, type SubscriptionFilter } from "../protocol/index.ts";
import type { Outlet } from "../transport/index.ts";
import type { Peer } from "./peer.ts";

export type Change =
  | { readonly kind: "tools" | "prompts" | "resources" }
  | { readonly kind: "resource"; readonly uri: string };

/** Sends the notification of a change: once to a handshake-era client, and on each listening stream that carries it. */
export function announce(peer: Peer, change: Change, outlet: Outlet): void {
  const method =
    change.kind === "resource"
      ? "notifications/resources/updated"
      : `notifications/${change.kind}/list_changed`;
  const params = change.kind === "resource" ? { uri: change.uri } : {};
  const isWanted = change.kind !== "resource" || peer.subscribedUris.has(change.uri);
  if (peer.handshake !== undefined && peer.isOpen && isWanted)
    outlet.send({ kind: "notification", method, params });
  for (const [id, { filter }] of peer.listeners) {
    if (!carries(filter, change)) continue;
    const tagged = { _meta: { [MetaKey.subscriptionId]: id }, ...params };
    outlet.send({ kind: "notification", method, params: tagged }, id);
  }
}

function carries(filter: SubscriptionFilter, change: Change): boolean {
  switch (change.kind) {
    case "tools":
      return filter.toolsListChanged === true;
    case "prompts":
      return filter.promptsListChanged === true;
    case "resources":
      return filter.resourcesListChanged === true;
    case "resource":
      return filter.resourceSubscriptions?.includes(change.uri) === true;
  }
}
