/** Choices that repeat themselves for a seed, so that what a generated test found can be found again. */

export interface Random {
  /** From 0 to below `below`. */
  whole(below: number): number;
  /** Whether something that happens once in `times` happens now. */
  oneIn(times: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Some of the items, at least one, in their order. */
  some<Item>(items: readonly Item[]): readonly Item[];
}

export function createRandom(seed: number): Random {
  const next = mulberry32(seed);
  const whole = (below: number): number => Math.floor(next() * below);
  const pick = <Item>(items: readonly Item[]): Item => {
    for (const item of items.slice(whole(items.length))) return item;
    throw new Error("There is nothing to pick from");
  };
  return {
    whole,
    oneIn: (times) => whole(times) === 0,
    pick,
    some: (items) => {
      const chosen = items.filter(() => whole(2) === 0);
      return chosen.length > 0 ? chosen : [pick(items)];
    },
  };
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
