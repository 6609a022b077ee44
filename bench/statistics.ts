/** The statistics of a bench: a median, a median of ratios that were each taken within one round, and a percentile. */

/** The middle value, or the mean of the two in the middle; `undefined` of nothing. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const lower = sorted[Math.floor(middle)];
  const upper = sorted[Math.ceil(middle)];
  return lower === undefined || upper === undefined ? undefined : (lower + upper) / 2;
}

/**
 * The median of `value / reference`, round by round.
 *
 * A machine that is slow for one round is slow for both, so drift cancels where a ratio of two medians would keep it. Rounds
 * that lack either are left out.
 */
export function medianRatio(
  values: readonly (number | undefined)[],
  references: readonly (number | undefined)[],
): number | undefined {
  const ratios = values.flatMap((value, round) => {
    const reference = references[round];
    return value === undefined || reference === undefined || reference === 0
      ? []
      : [value / reference];
  });
  return median(ratios);
}

/** The smallest of the values that at least this share of them does not exceed; `undefined` of nothing. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1];
}
