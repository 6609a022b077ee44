/** What is told of a group of keywords: the counts, both rates with their intervals, and how much of the group they rest on. */

import { closedSchema } from "./closed-schema.ts";
import { outcomeNames, outcomes, type Outcome } from "./outcomes.ts";
import { wilsonInterval } from "./wilson.ts";

/** How many keywords a group has, and how many of them have each outcome. */
export interface Tally {
  readonly targets: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

export const emptyTally: Tally = {
  targets: 0,
  outcomes: { aio: 0, no_aio: 0, failed: 0, unclear: 0, unknown_status: 0 },
};

export function addOutcome(tally: Tally, outcome: Outcome, n: number): Tally {
  return addTallies(tally, { targets: 0, outcomes: { ...emptyTally.outcomes, [outcome]: n } });
}

export function addTallies(a: Tally, b: Tally): Tally {
  const sum = { ...a.outcomes };
  for (const name of outcomeNames) sum[name] += b.outcomes[name];
  return { targets: a.targets + b.targets, outcomes: sum };
}

/** Below this share of a group's keywords, its rate is told with a warning: excluding what failed must not look like success. */
export const leastUsedPercent = 90;

/** `n_total = n_failed + n_excluded + n_used`; a rate without a denominator is `null`. */
export function toRates(tally: Tally) {
  const count = { used: 0, failed: 0, excluded: 0 };
  for (const name of outcomeNames) count[outcomes[name].share] += tally.outcomes[name];
  const { used, failed, excluded } = count;
  const { targets } = tally;
  const { aio } = tally.outcomes;
  const total = used + failed + excluded;
  return {
    n_targets: targets,
    n_total: total,
    n_failed: failed,
    n_excluded: excluded,
    n_used: used,
    n_aio: aio,
    aio_rate: rateOf(aio, used),
    aio_interval_95: wilsonInterval(aio, used),
    failure_rate: rateOf(failed, total),
    failure_interval_95: wilsonInterval(failed, total),
    coverage: rateOf(total, targets),
    coverage_warning: warnOfCoverage(used, targets),
  };
}

function rateOf(hits: number, total: number): number | null {
  return total === 0 ? null : hits / total;
}

function warnOfCoverage(used: number, targets: number): string | null {
  if (used * 100 >= targets * leastUsedPercent) return null;
  return `aio_rate rests on ${used} of ${targets} keywords, less than ${leastUsedPercent} %: the others were not observed, failed or are excluded`;
}

const count = { type: "integer", minimum: 0 } as const;
const rate = { type: ["number", "null"], minimum: 0, maximum: 1 } as const;
const interval = {
  anyOf: [closedSchema({ low: { type: "number" }, high: { type: "number" } }), { type: "null" }],
} as const;

export const ratesMembers = {
  n_targets: { ...count, description: "Keywords that the run was to look at" },
  n_total: { ...count, description: "Of them, those with an observation" },
  n_failed: count,
  n_excluded: { ...count, description: "Neither failed nor known to have or lack an AI Overview" },
  n_used: { ...count, description: "n_total - n_failed - n_excluded" },
  n_aio: { ...count, description: "Of n_used, those with an AI Overview" },
  aio_rate: { ...rate, description: "n_aio / n_used" },
  aio_interval_95: interval,
  failure_rate: { ...rate, description: "n_failed / n_total" },
  failure_interval_95: interval,
  coverage: { ...rate, description: "n_total / n_targets" },
  coverage_warning: { type: ["string", "null"] },
} as const;
