/** The Wilson score interval of a share: it stays within 0 and 1, and is right also for few observations and for none. */

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The standard normal quantile of 97.5 %. */
const z = 1.959_963_984_540_054;

/**
 * Gives the 95 % interval of `hits` out of `total`; `null` where `total` is 0.
 *
 * E. B. Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953, without a correction for continuity.
 */
export function wilsonInterval(hits: number, total: number): Interval | null {
  if (total === 0) return null;
  const share = hits / total;
  const square = z * z;
  const centre = share + square / (2 * total);
  const reach = z * Math.sqrt((share * (1 - share) + square / (4 * total)) / total);
  const scale = 1 + square / total;
  return {
    low: hits === 0 ? 0 : (centre - reach) / scale,
    high: hits === total ? 1 : (centre + reach) / scale,
  };
}
