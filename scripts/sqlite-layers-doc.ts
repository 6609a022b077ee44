/** Writes the tables of docs/sqlite-layers.md: runs the hostile statements with each layer alone, and with all together. */

import { readFileSync, writeFileSync } from "node:fs";
import { runBattery, type Outcome } from "../fixtures/sqlite/battery.ts";
import { hostileStatements } from "../fixtures/sqlite/hostile-statements.ts";
import { layers, type Layer } from "../src/sqlite/reader/layers.ts";
import { renewSections } from "./renew-sections.ts";

const page = new URL("../docs/sqlite-layers.md", import.meta.url);

/** Gives the page with new tables. */
export async function renewLayersPage(text: string): Promise<string> {
  return renewSections(text, { layers: tabulateLayers(), battery: tabulate(await runAll()) });
}

/** The columns of the table: no layer, each alone, and all. */
const choices: readonly (readonly [title: string, chosen: readonly Layer[]])[] = [
  ["none", []],
  ...layers.map((layer, index) => [String(index + 1), [layer]] as const),
  ["all", layers],
];

/** Two at a time: a battery is mostly one process that works. */
async function runAll(): Promise<readonly (readonly Outcome[])[]> {
  const outcomes: (readonly Outcome[])[] = [];
  const rest = choices.entries();
  const run = async (): Promise<void> => {
    for (const [index, [, chosen]] of rest) outcomes[index] = await runBattery(chosen);
  };
  await Promise.all([run(), run()]);
  return outcomes;
}

function tabulateLayers(): string {
  const rows = layers.map(({ id, stops }, index) => `| ${index + 1} | \`${id}\` | ${stops} |`);
  return ["| | layer | what it stops |", "| --- | --- | --- |", ...rows].join("\n");
}

function tabulate(columns: readonly (readonly Outcome[])[]): string {
  const rows = hostileStatements.map((statement, row) => {
    const cells = columns.map((column) => show(column[row]));
    return `| ${describe(statement)} | ${cells.join(" | ")} |`;
  });
  const titles = choices.map(([title]) => title);
  return [
    `| | ${titles.join(" | ")} |`,
    `| --- | ${titles.map(() => ":-:").join(" | ")} |`,
    ...rows,
  ].join("\n");
}

function show(outcome: Outcome | undefined): string {
  if (outcome === undefined) throw new Error("A battery has fewer outcomes than statements");
  const { stoppedBy, hasChanged } = outcome;
  if (stoppedBy === undefined) return hasChanged ? "✗" : "·";
  return hasChanged ? "◐" : "●";
}

function describe({ sql, first, isLogged }: (typeof hostileStatements)[number]): string {
  const texts = first === undefined ? [sql] : [first, sql];
  const shown = texts.map((text) => `\`${mark(text)}\``).join(", then ");
  return isLogged === true ? `${shown} of a database with a write-ahead log` : shown;
}

/** What a table of Markdown does not show. */
function mark(text: string): string {
  return text
    .replaceAll("{folder}", "…")
    .replaceAll("\0", "␀")
    .replaceAll("\n", "⏎")
    .replaceAll("|", String.raw`\|`);
}

if (import.meta.main) writeFileSync(page, await renewLayersPage(readFileSync(page, "utf8")));
