/** Finds the name that somebody may have meant. */

/** Ends a sentence with the nearest of the names, or with all of them. */
export function expectOneOf(name: unknown, names: readonly string[]): string {
  const near = typeof name === "string" ? findNearest(name, names) : undefined;
  return near === undefined
    ? `expected ${names.length > 1 ? "one of " : ""}${names.length === 0 ? "none" : names.join(", ")}`
    : `did you mean "${near}"?`;
}

/** Gives the one that takes the fewest changes, if a third of its letters is enough; in doubt the first. */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let least = Infinity;
  for (const each of names) {
    const changes = countChanges(wanted, each.toLowerCase());
    if (changes < least && changes <= Math.max(1, Math.floor(each.length / 3))) {
      best = each;
      least = changes;
    }
  }
  return best;
}

/** Counts the letters to insert, leave out, replace or swap with their neighbour (optimal string alignment). */
function countChanges(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        at(row, j) + 1,
        at(next, j - 1) + 1,
        at(row, j - 1) + same,
        isSwapped ? at(before, j - 2) + 1 : Infinity,
      );
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
