/** Ranks keywords by how close they come to one that is not there: by the words they share with it. */

export interface Ranking {
  /** @param written the keyword as `normaliseKeyword` gives it */
  readonly add: (keyword: string, written: string) => void;
  /** Gives the closest, best first. */
  readonly best: () => readonly string[];
}

/** How many keywords are offered. */
const mostOffered = 5;

/** @param wanted as `normaliseKeyword` gives it */
export function createRanking(wanted: string): Ranking {
  const words = new Set(wanted.split(" "));
  let best: readonly Ranked[] = [];
  return {
    add: (keyword, written) => {
      const score = scoreOf(wanted, words, written);
      if (score === 0) return;
      const distance = Math.abs(written.length - wanted.length);
      best = [...best, { keyword, score, distance }].toSorted(compare).slice(0, mostOffered);
    },
    best: () => best.map(({ keyword }) => keyword),
  };
}

interface Ranked {
  readonly keyword: string;
  readonly score: number;
  readonly distance: number;
}

/** Scripts without spaces between words have only what contains the other. */
function scoreOf(wanted: string, words: ReadonlySet<string>, written: string): number {
  const shared = new Set(written.split(" ")).intersection(words).size;
  const contains = written !== "" && (written.includes(wanted) || wanted.includes(written));
  return 2 * shared + (contains ? 1 : 0);
}

/** In doubt the one of more nearly the same length, then the one that was added first. */
function compare(a: Ranked, b: Ranked): number {
  return b.score === a.score ? a.distance - b.distance : b.score - a.score;
}
