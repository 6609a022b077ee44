/** A promise against the clock. */

import { maxTimerMs } from "./duration.ts";

/**
 * Gives what the promise resolves to, or `undefined` when it takes longer than `ms`; never leaves a timer behind.
 *
 * @param ms `Infinity` for no limit; nothing is waited for longer than 24 days
 */
export async function within<Value>(
  promise: Promise<Value>,
  ms: number,
): Promise<Value | undefined> {
  if (ms === Infinity) return promise;
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, Math.min(ms, maxTimerMs), undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
