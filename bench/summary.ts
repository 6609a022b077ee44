/** From measured rounds to what is told: medians, ratios to the bare subject, and whether the goals are met. */

import { isMet, type Bench, type Figure } from "./bench.ts";
import type { CaseResult } from "./rounds.ts";
import { median, medianRatio } from "./statistics.ts";

export interface Summary {
  readonly bench: string;
  readonly title: string;
  readonly rows: readonly SummaryRow[];
}

export interface SummaryRow {
  readonly subject: string;
  readonly revision: string | undefined;
  readonly cells: readonly Cell[];
  readonly failure: string | undefined;
}

export interface Cell {
  readonly figure: Figure;
  readonly value: number | undefined;
  /** The median over rounds of this subject's figure divided by that of the bare one. */
  readonly ratio: number | undefined;
  /** Absent where no goal is set for this subject, or nothing was measured to hold against it. */
  readonly isMet: boolean | undefined;
}

export function summarize(bench: Bench, results: readonly CaseResult[]): Summary {
  const rows = results.map((result) => {
    const { subject, revision } = result.case;
    const bare = results.find(
      (each) => each.case.subject === "bare" && each.case.revision === revision,
    );
    const cells = bench.figures.map((figure) => summarizeFigure(figure, result, bare));
    return { subject, revision, cells, failure: result.failure };
  });
  const rounds = Math.max(0, ...results.map((result) => result.rounds.length));
  const title = rounds > 1 ? `${bench.title}; medians of ${rounds} rounds` : bench.title;
  return { bench: bench.name, title, rows };
}

function summarizeFigure(figure: Figure, result: CaseResult, bare: CaseResult | undefined): Cell {
  const valuesOf = ({ rounds }: CaseResult): (number | undefined)[] =>
    rounds.map((round) => round[figure.id]);
  const value = median(valuesOf(result).filter((each) => each !== undefined));
  const ratio =
    bare === undefined || bare === result
      ? undefined
      : medianRatio(valuesOf(result), valuesOf(bare));
  const { goal } = figure;
  const reached = goal?.of === "ratio" ? ratio : value;
  const isJudged = result.case.subject === "genkan" && goal !== undefined && reached !== undefined;
  return { figure, value, ratio, isMet: isJudged ? isMet(goal, reached) : undefined };
}
