/** How often something may happen in a minute: a bucket that fills up evenly and holds one minute's worth. */

interface Bucket {
  left: number;
  at: number;
}

/** How many buckets are kept: stops made-up names from filling the memory; a forgotten one begins full. */
const maxBuckets = 10_000;

const minuteMs = 60_000;

export class Rates {
  readonly #buckets = new Map<string, Bucket>();

  /** Gives how many are left now, and in how many ms there is one more. */
  read(
    name: string,
    perMinute: number,
    now: number,
  ): { readonly left: number; readonly moreInMs: number } {
    if (perMinute === Infinity) return unlimited;
    const { left } = this.#fill(name, perMinute, now);
    return {
      left: Math.floor(left),
      moreInMs: left >= 1 ? 0 : ((1 - left) * minuteMs) / perMinute,
    };
  }

  take(name: string, perMinute: number, now: number): void {
    if (perMinute !== Infinity) this.#fill(name, perMinute, now).left -= 1;
  }

  #fill(name: string, perMinute: number, now: number): Bucket {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return this.#create(name, perMinute, now);
    const grown = (Math.max(0, now - bucket.at) * perMinute) / minuteMs; // a clock that was put back fills nothing
    bucket.left = Math.min(perMinute, bucket.left + grown);
    bucket.at = now;
    return bucket;
  }

  #create(name: string, perMinute: number, now: number): Bucket {
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size < maxBuckets) break;
      this.#buckets.delete(oldest);
    }
    const bucket = { left: perMinute, at: now };
    this.#buckets.set(name, bucket);
    return bucket;
  }
}

const unlimited = { left: Infinity, moreInMs: 0 };
