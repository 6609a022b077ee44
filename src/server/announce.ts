/** Tells a peer what has changed, if it asked to know. */

import {
  isWanted,
  MetaKey,
  toNotification,
  type Change,
  type SubscriptionFilter,
} from "../protocol/index.ts";
import type { Outlet } from "../transport/index.ts";
import type { Peer } from "./peer.ts";

/** Sends the notification of a change: once to a handshake-era client, and on each listening stream that carries it. */
export function announce(peer: Peer, change: Change, outlet: Outlet): void {
  const message = toNotification(change);
  if (peer.handshake !== undefined && peer.isOpen && isWanted(filterOf(peer), change))
    outlet.send(message);
  for (const [id, { filter }] of peer.listeners) {
    if (!isWanted(filter, change)) continue;
    const params = { _meta: { [MetaKey.subscriptionId]: id }, ...message.params };
    outlet.send({ ...message, params }, id);
  }
}

/** A handshake-era client hears of every list, and of the resources it has subscribed to. */
function filterOf({ subscribedUris }: Peer): SubscriptionFilter {
  return {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: [...subscribedUris],
  };
}
