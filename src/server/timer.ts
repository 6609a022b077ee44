/** A timer for limits, which may be longer than Node can count. */

/** The longest delay that Node's timers keep, over 24 days: a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Calls `act` after `ms`; gives `undefined`, and never calls it, when that is longer than a timer can wait. */
export function startTimer(ms: number, act: () => void): NodeJS.Timeout | undefined {
  return ms > maxTimerMs ? undefined : setTimeout(act, ms);
}
