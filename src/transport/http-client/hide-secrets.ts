/** Takes secrets out of what a server has written about an error: it may repeat the headers it was sent. */

import type { Arrival } from "../../protocol/index.ts";

/** How deep the data of an error is looked into: it stops nesting that no reader of it can follow either. */
export const maxDataDepth = 64;

/** What stands in the place of data that lies deeper. */
export const tooDeep = "[too deep]";

type Redact = (text: string) => string;

/** Results are the caller's own, and stay as they came. */
export function hideSecrets(arrivals: readonly Arrival[], redact: Redact): readonly Arrival[] {
  return arrivals.some(isAboutError) ? arrivals.map((arrival) => hide(arrival, redact)) : arrivals;
}

function isAboutError({ kind }: Arrival): boolean {
  return kind === "error" || kind === "fault";
}

function hide(arrival: Arrival, redact: Redact): Arrival {
  if (arrival.kind === "fault") {
    const { detail, excerpt } = arrival;
    const shown = excerpt === undefined ? {} : { excerpt: redact(excerpt) };
    return Object.assign({}, arrival, { detail: redact(detail) }, shown);
  }
  if (arrival.kind !== "error") return arrival;
  const { code, message, data } = arrival.error;
  const safe = data === undefined ? {} : { data: hideInValue(data, redact, 0) };
  return { kind: "error", id: arrival.id, error: { code, message: redact(message), ...safe } };
}

/** The depth is bounded, so that this may call itself. */
function hideInValue(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value === "number") return hideInNumber(value, redact);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDataDepth) return tooDeep;
  if (Array.isArray(value)) return value.map((item) => hideInValue(item, redact, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), hideInValue(item, redact, depth + 1)]),
  );
}

/** A secret of digits may come back as a number; the text without it is no number any more. */
function hideInNumber(value: number, redact: Redact): unknown {
  const text = String(value);
  const shown = redact(text);
  return shown === text ? value : shown;
}
