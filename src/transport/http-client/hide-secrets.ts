/** Takes secrets out of what a server has written about an error: it may repeat the headers it was sent. */

import type { Arrival } from "../../protocol/index.ts";

/** Results are the caller's own, and stay as they came. */
export function hideSecrets(
  arrivals: readonly Arrival[],
  redact: (text: string) => string,
): readonly Arrival[] {
  return arrivals.some(isAboutError) ? arrivals.map((arrival) => hide(arrival, redact)) : arrivals;
}

function isAboutError({ kind }: Arrival): boolean {
  return kind === "error" || kind === "fault";
}

function hide(arrival: Arrival, redact: (text: string) => string): Arrival {
  if (arrival.kind === "fault") {
    const { detail, excerpt } = arrival;
    const shown = excerpt === undefined ? {} : { excerpt: redact(excerpt) };
    return Object.assign({}, arrival, { detail: redact(detail) }, shown);
  }
  if (arrival.kind !== "error") return arrival;
  const { code, message, data } = arrival.error;
  const safe: unknown = data === undefined ? undefined : JSON.parse(redact(JSON.stringify(data)));
  const error = { code, message: redact(message), ...(safe === undefined ? {} : { data: safe }) };
  return { kind: "error", id: arrival.id, error };
}
