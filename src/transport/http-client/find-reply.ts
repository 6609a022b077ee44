/** Finds the reply to one request among what has arrived. */

import type {
  Arrival,
  ErrorMessage,
  Fault,
  RequestId,
  ResultMessage,
} from "../../protocol/index.ts";
import { isTolerated } from "../../protocol/index.ts";

/** A fault counts where it says that it was meant to be the reply. */
export function findReply(
  arrivals: readonly Arrival[],
  id: RequestId,
): ResultMessage | ErrorMessage | Fault | undefined {
  for (const arrival of arrivals) {
    const items = arrival.kind === "batch" ? arrival.items : [arrival];
    for (const item of items) {
      if (item.kind !== "result" && item.kind !== "error" && item.kind !== "fault") continue;
      if (item.id !== id) continue;
      if (item.kind !== "fault" || (item.from === "reply" && !isTolerated(item))) return item;
    }
  }
  return undefined;
}
