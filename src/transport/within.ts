/** A promise against the clock. */

/** The longest delay that Node's timers keep: a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Gives what the promise resolves to, or `undefined` when it takes longer than `ms`; never leaves a timer behind. */
export async function within<Value>(
  promise: Promise<Value>,
  ms: number,
): Promise<Value | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, Math.min(ms, maxTimerMs), undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
