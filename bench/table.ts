/** Prints summaries as tables: for a terminal, or for a page. */

import type { Figure } from "./bench.ts";
import type { Cell, Summary, SummaryRow } from "./summary.ts";

/** Columns of one width, for a terminal. */
export function toText(summary: Summary): string {
  const rows = toRows(summary);
  const widths =
    rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [summary.title, ...lines, ...failuresOf(summary)].join("\n");
}

export function toMarkdown(summary: Summary): string {
  const [head = [], ...body] = toRows(summary);
  const lines = [head, head.map(() => "---"), ...body].map((row) => `| ${row.join(" | ")} |`);
  return [
    `### ${summary.title}`,
    "",
    ...lines,
    ...failuresOf(summary).flatMap((line) => ["", line]),
  ].join("\n");
}

function toRows({ rows }: Summary): readonly (readonly string[])[] {
  const figures = rows[0]?.cells.map(({ figure }) => figure) ?? [];
  const columns: readonly (readonly [title: string, (row: SummaryRow) => string | undefined])[] = [
    ["subject", ({ subject }) => subject],
    ["revision", ({ revision }) => revision],
    ["tool", ({ tool }) => tool],
  ];
  const shown = columns.filter(([, read]) => rows.some((row) => read(row) !== undefined));
  const head = [...shown.map(([title]) => title), ...figures.map(titleOf)];
  const body = rows.map((row) => [
    ...shown.map(([, read]) => read(row) ?? ""),
    ...row.cells.map((cell, column) =>
      column === 0 && row.absence !== undefined ? row.absence.what : showCell(cell),
    ),
  ]);
  return [head, ...body];
}

/** `"first reply, ms (goal: ≤ 1.35 × bare)"` */
function titleOf({ title, unit, goal, isToLead = false }: Figure): string {
  const what = unit === "" ? title : `${title}, ${unit}`;
  const goals = [
    ...(goal === undefined
      ? []
      : [`${goal.is} ${goal.limit}${goal.of === "ratio" ? " × bare" : ""}`]),
    ...(isToLead ? ["below every peer"] : []),
  ];
  return goals.length === 0 ? what : `${what} (goal: ${goals.join(", ")})`;
}

/** `"41.0 = 1.28 × bare, met"` */
function showCell({ figure, value, ratio, isMet }: Cell): string {
  if (value === undefined) return "–";
  const shown = value.toFixed(figure.digits).replaceAll(/\B(?=(\d{3})+(?!\d))/g, " ");
  const compared =
    ratio === undefined || figure.unit === "%" || figure.unit === "×"
      ? ""
      : ` = ${ratio.toFixed(2)} × bare`;
  const judged = isMet === undefined ? "" : isMet ? ", met" : ", missed";
  return shown + compared + judged;
}

function failuresOf({ rows }: Summary): readonly string[] {
  return rows.flatMap(({ subject, revision, tool, failure, absence }) => {
    const who = [subject, revision ?? tool ?? ""].join(" ").trim();
    if (absence !== undefined) return [`Not measured: ${who}: ${absence.message}`];
    return failure === undefined ? [] : [`Failed: ${who}: ${failure.trim()}`];
  });
}
