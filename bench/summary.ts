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
  readonly tool: string | undefined;
  readonly cells: readonly Cell[];
  readonly failure: string | undefined;
  readonly absence: { readonly what: string; readonly message: string } | undefined;
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
    const { subject, revision, tool } = result.case;
    const beside = results.filter(
      (each) => each.case.revision === revision && each.case.tool === tool,
    );
    const cells = bench.figures.map((figure) => summarizeFigure(figure, result, beside));
    const { failure, absence } = result;
    return { subject, revision, tool, cells, failure, absence };
  });
  const rounds = Math.max(0, ...results.map((result) => result.rounds.length));
  const title = rounds > 1 ? `${bench.title}; medians of ${rounds} rounds` : bench.title;
  return { bench: bench.name, title, rows };
}

/** @param beside the results of all subjects for the same thing */
function summarizeFigure(figure: Figure, result: CaseResult, beside: readonly CaseResult[]): Cell {
  const value = median(valuesOf(result, figure).filter((each) => each !== undefined));
  const bare = beside.find((each) => each.case.subject === "bare");
  const ratio = bare === undefined || bare === result ? undefined : ratioOf(figure, result, bare);
  if (result.case.subject !== "genkan" || value === undefined)
    return { figure, value, ratio, isMet: undefined };
  const peers = beside.filter(
    (each) => each !== bare && !each.case.subject.startsWith("genkan"), // Genkan in another setup is no peer of its own
  );
  const toPeers = peers.map((peer) => ratioOf(figure, result, peer));
  return { figure, value, ratio, isMet: judge(figure, { value, ratio }, toPeers) };
}

/** A peer that was not measured leaves open whether Genkan leads, unless another peer says that it does not. */
function judge(
  { goal, isToLead = false }: Figure,
  { value, ratio }: Pick<Cell, "value" | "ratio">,
  toPeers: readonly (number | undefined)[],
): boolean | undefined {
  const reached = goal?.of === "ratio" ? ratio : value;
  const verdicts = [
    ...(goal === undefined ? [] : [reached === undefined ? undefined : isMet(goal, reached)]),
    ...(isToLead ? toPeers.map((each) => (each === undefined ? undefined : each < 1)) : []),
  ];
  if (verdicts.includes(false)) return false;
  return verdicts.length === 0 || verdicts.includes(undefined) ? undefined : true;
}

function ratioOf(figure: Figure, result: CaseResult, other: CaseResult): number | undefined {
  return medianRatio(valuesOf(result, figure), valuesOf(other, figure));
}

function valuesOf({ rounds }: CaseResult, { id }: Figure): readonly (number | undefined)[] {
  return rounds.map((round) => round[id]);
}
