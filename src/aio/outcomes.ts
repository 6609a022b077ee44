/** Everything an observation can say of one keyword, and the one sentence a caller is told for it. */

export interface OutcomeEntry {
  /** What becomes of it in a count: only what is used stands in the rate of AI Overviews. */
  readonly share: "used" | "failed" | "excluded";
  readonly status: "ok" | "failed" | "other";
  /** `null` where nobody knows. */
  readonly aio_present: boolean | null;
  readonly meaning: string;
}

export const outcomes = {
  aio: {
    share: "used",
    status: "ok",
    aio_present: true,
    meaning: "The results page was read and had an AI Overview",
  },
  no_aio: {
    share: "used",
    status: "ok",
    aio_present: false,
    meaning: "The results page was read and had no AI Overview",
  },
  failed: {
    share: "failed",
    status: "failed",
    aio_present: null,
    meaning:
      "The results page could not be read, so nothing is known about an AI Overview; what went wrong is kept for the operator and is not shown",
  },
  unclear: {
    share: "excluded",
    status: "ok",
    aio_present: null,
    meaning:
      "The results page was read, but whether it had an AI Overview is not stored: no rate counts it",
  },
  unknown_status: {
    share: "excluded",
    status: "other",
    aio_present: null,
    meaning: "The status of the observation is neither ok nor failed: no rate counts it",
  },
} as const satisfies Readonly<Record<string, OutcomeEntry>>;

export type Outcome = keyof typeof outcomes;

/** In the order of the table. */
export const outcomeNames = [
  "aio",
  "no_aio",
  "failed",
  "unclear",
  "unknown_status",
] as const satisfies readonly Outcome[];

/** What is said of a keyword that a run was to look at and has no observation of. */
export const notObserved = "The run was to look at this keyword and has no observation of it";

export function isOutcome(value: unknown): value is Outcome {
  return typeof value === "string" && Object.hasOwn(outcomes, value);
}
