/** Puts two traces side by side: which steps both went through, and where they part. */

import type { Step } from "./feature.ts";
import { sanitiseText } from "./sanitise.ts";
import type { Trace } from "./trace.ts";

/** A step of one trace, of the other, or of both. */
export interface ComparedStep {
  readonly name: string;
  readonly before: Step | undefined;
  readonly after: Step | undefined;
}

export interface TraceComparison {
  readonly before: Trace;
  readonly after: Trace;
  readonly steps: readonly ComparedStep[];
  /** What is otherwise, one sentence each; times are not compared. Empty when both went the same way. */
  readonly differences: readonly string[];
}

export function compareTraces(before: Trace, after: Trace): TraceComparison {
  const steps = alignSteps(before.steps, after.steps);
  return { before, after, steps, differences: findDifferences(before, after, steps) };
}

/** Pairs the steps of the same name and attempt, in order, as many as can be (longest common subsequence). */
function alignSteps(before: readonly Step[], after: readonly Step[]): readonly ComparedStep[] {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const lengthAt = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] = isSameStep(before[i], after[j])
        ? lengthAt(i + 1, j + 1) + 1
        : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));

  const rows: ComparedStep[] = [];
  let i = 0;
  let j = 0;
  for (;;) {
    const left = before[i];
    const right = after[j];
    if (left !== undefined && right !== undefined && isSameStep(left, right)) {
      rows.push({ name: left.name, before: left, after: right });
      i++;
      j++;
    } else if (
      left !== undefined &&
      (right === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))
    ) {
      rows.push({ name: left.name, before: left, after: undefined });
      i++;
    } else if (right !== undefined) {
      rows.push({ name: right.name, before: undefined, after: right });
      j++;
    } else return rows;
  }
}

function isSameStep(a: Step | undefined, b: Step | undefined): boolean {
  return a?.name === b?.name && a?.attempt === b?.attempt;
}

function findDifferences(
  before: Trace,
  after: Trace,
  steps: readonly ComparedStep[],
): readonly string[] {
  const differences: string[] = [];
  for (const name of ["door", "tool", "origin", "code", "rule", "attempts", "message"] as const)
    if (before[name] !== after[name])
      differences.push(`${name}: ${show(before[name])} → ${show(after[name])}`);
  for (const { name, before: left, after: right } of steps) {
    const step = `step ${show(name)}`;
    if (right === undefined) differences.push(`${step}: only before`);
    else if (left === undefined) differences.push(`${step}: only after`);
    else if (left.code !== right.code) differences.push(`${step}: ${left.code} → ${right.code}`);
  }
  return differences;
}

/** Shows a comparison as a table for people; a line that differs ends in "≠". */
export function formatComparison({ before, after, steps, differences }: TraceComparison): string {
  const rows: readonly (readonly [label: string, before: string, after: string])[] = [
    ["", "before", "after"],
    ["trace", before.traceId, after.traceId],
    ["came", new Date(before.at).toISOString(), new Date(after.at).toISOString()],
    ["door", show(before.door), show(after.door)],
    ["tool", show(before.tool), show(after.tool)],
    ["code", show(before.code), show(after.code)],
    ["attempts", show(before.attempts), show(after.attempts)],
    ["duration", showMs(before.durationMs), showMs(after.durationMs)],
    ...steps.map(({ name, before: left, after: right }) => {
      return [`step ${show(name)}`, showStep(left), showStep(right)] as const;
    }),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const compared = new Set(["door", "tool", "code", "attempts"]);
  const lines = rows.map(([label, left, right], index) => {
    const step = steps[index - (rows.length - steps.length)];
    const isOther =
      step === undefined
        ? compared.has(label) && left !== right
        : step.before?.code !== step.after?.code;
    const line = `${label.padEnd(widths[0] ?? 0)}  ${left.padEnd(widths[1] ?? 0)}  ${right}`;
    return isOther ? `${line}  ≠` : line.trimEnd();
  });
  return [
    ...lines,
    "",
    ...(differences.length === 0 ? ["Both went the same way"] : differences),
  ].join("\n");
}

function showStep(step: Step | undefined): string {
  return step === undefined ? "-" : `${step.code}, ${showMs(step.durationMs)}`;
}

function showMs(ms: number): string {
  return `${ms.toFixed(1)} ms`;
}

function show(value: string | number | undefined): string {
  if (value === undefined) return "-";
  return sanitiseText(String(value), { lines: false, maxLength: 100 }).text;
}
