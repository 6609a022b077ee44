/** How long something may take, as callers say it: milliseconds, `Infinity` for no limit, absent for the default. */

import { jsonTypeOf, UsageError } from "../protocol/index.ts";

/** The longest delay that Node's timers keep: a longer one would fire at once. */
export const maxTimerMs = 2 ** 31 - 1;

/**
 * Reads a duration that a caller gave.
 *
 * Throws a `UsageError` for what no timer can keep: a timer takes `NaN` for 1 ms, and a deadline of `NaN` never comes.
 */
export function readDuration(name: string, given: unknown, fallback: number): number {
  if (given === undefined) return fallback;
  if (typeof given === "number" && given >= 0) return given;
  const is = typeof given === "number" ? `${given}` : `of the type ${jsonTypeOf(given)}`;
  throw new UsageError(
    "bad-duration",
    `Cannot take "${name}": it is ${is}, expected milliseconds from 0 on, or Infinity for no limit`,
    { hint: `${name}: ${fallback}` },
  );
}
