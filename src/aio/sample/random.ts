/** Numbers that look like chance and are the same on every run: of a seed, and of nothing else. */

/** Gives a whole number from 0 to `limit` - 1, for a `limit` of at least 1. */
export type Pick = (limit: number) => number;

/**
 * Makes a generator. It counts upwards and stirs the count with multiplications and shifts of 32 bits: good enough for a sample,
 * never for a secret. The multipliers are Christopher Wellons's (hash-prospector, public domain).
 */
export function createRandom(seed: number): Pick {
  let count = seed | 0;
  return (limit) => {
    count = (count + 0x9e3779b1) | 0; // odd, so that all 2^32 counts come before one comes again
    let stirred = Math.imul(count ^ (count >>> 16), 0x21f0aaad);
    stirred = Math.imul(stirred ^ (stirred >>> 15), 0x735a2d97);
    stirred = (stirred ^ (stirred >>> 15)) >>> 0;
    return Math.floor((stirred / 2 ** 32) * limit);
  };
}
