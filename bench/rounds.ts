/** Measures the cases of a bench in rounds, so that whatever else the machine does meets all of them alike. */

import type { Bench, Case, Measured } from "./bench.ts";
import { placeDriver } from "./cpus.ts";
import { Unavailable } from "./unavailable.ts";

/** What one case gave, round by round; a round that failed is absent, and nothing follows it. */
export interface CaseResult {
  readonly case: Case;
  readonly rounds: Measured[];
  failure?: string;
  /** Why there was nothing to measure, which is no failure. */
  absence?: Unavailable;
}

/** Every round measures each case once, every other round in reverse order. A case that failed, or is not there, is not measured again. */
export async function runRounds(
  bench: Bench,
  cases: readonly Case[],
  rounds: number,
  note: (text: string) => void = () => {},
): Promise<readonly CaseResult[]> {
  const results: readonly CaseResult[] = cases.map((each) => ({ case: each, rounds: [] }));
  placeDriver(bench.isPinned ? "one CPU" : "all CPUs");
  for (let round = -bench.warmUps; round < rounds; round += 1) {
    const order = round % 2 === 0 ? results : results.toReversed();
    for (const result of order.filter(isGoing)) {
      const { subject, revision, tool } = result.case;
      note(
        `${bench.name} ${round < 0 ? "warm-up" : `round ${round + 1} of ${rounds}`}: ${subject} ${revision ?? tool ?? ""}`,
      );
      try {
        const measured = await bench.measure(result.case);
        if (round >= 0) result.rounds.push(measured);
      } catch (error) {
        if (error instanceof Unavailable) result.absence = error;
        else result.failure = error instanceof Error ? error.message : String(error);
      }
    }
  }
  placeDriver("all CPUs");
  return results;
}

function isGoing({ failure, absence }: CaseResult): boolean {
  return failure === undefined && absence === undefined;
}
