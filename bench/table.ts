/** Prints summaries as tables: for a terminal, or for a page. */

import type { Figure } from "./bench.ts";
import type { Cell, Summary } from "./summary.ts";

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
  const hasRevisions = rows.some(({ revision }) => revision !== undefined);
  const figures = rows[0]?.cells.map(({ figure }) => figure) ?? [];
  const head = ["subject", ...(hasRevisions ? ["revision"] : []), ...figures.map(titleOf)];
  const body = rows.map(({ subject, revision = "", cells }) => [
    subject,
    ...(hasRevisions ? [revision] : []),
    ...cells.map(showCell),
  ]);
  return [head, ...body];
}

/** `"first reply, ms (goal: ≤ 1.35 × bare)"` */
function titleOf({ title, unit, goal }: Figure): string {
  const what = unit === "" ? title : `${title}, ${unit}`;
  if (goal === undefined) return what;
  return `${what} (goal: ${goal.is} ${goal.limit}${goal.of === "ratio" ? " × bare" : ""})`;
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
  return rows.flatMap(({ subject, revision, failure }) => {
    if (failure === undefined) return [];
    const who = revision === undefined ? subject : `${subject} ${revision}`;
    return [`Failed: ${who}: ${failure.trim()}`];
  });
}
