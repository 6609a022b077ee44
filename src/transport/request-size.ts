/** Notes on a large request how many bytes it came in, so that whoever keeps requests can bound what they hold together. */

import type { Arrival, RequestMessage } from "../protocol/index.ts";

/** Lines below are not counted: as many as may be in flight at once fit into memory without that. */
export const largeLineBytes = 4096;

/** Notes the size of a line on the request, or the batch of requests, that it brought: the last of `arrivals`. */
export function noteSize(arrivals: Arrival[], bytes: number): void {
  const arrival = arrivals.pop();
  if (arrival === undefined) return;
  if (arrival.kind === "request") arrivals.push({ ...arrival, bytes });
  else if (arrival.kind === "batch") {
    const items = arrival.items.map((item) =>
      item.kind === "request" ? { ...item, bytes: measure(item, bytes) } : item,
    );
    arrivals.push({ ...arrival, items });
  } else arrivals.push(arrival);
}

/** Gives the size of one request of a batch. */
function measure(request: RequestMessage, whole: number): number {
  try {
    return JSON.stringify(request).length;
  } catch {
    return whole; // too deep to be written again
  }
}
