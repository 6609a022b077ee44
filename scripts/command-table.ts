/**
 * The commands as a table for README.md, made from the list that the command line itself reads.
 *
 * Run by itself, it writes the table between `<!-- commands -->` and `<!-- /commands -->`.
 */

import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { loadCommands } from "../src/cli/command-list.ts";
import { buildProgram } from "../src/cli/program.ts";
import { openScreen, type Screen } from "../src/cli/screen.ts";

const start = "<!-- commands -->";
const end = "<!-- /commands -->";

/** Gives a Markdown table with one row for each command. */
export async function createCommandTable(screen: Screen): Promise<string> {
  const run = { screen, serverWords: [], end: () => {} };
  const { commands } = buildProgram(await loadCommands(undefined), run);
  const rows = commands.map(
    (command) =>
      `| \`genkan ${escapeCell(`${command.name()} ${command.usage()}`)}\` | ${escapeCell(command.description())} |`,
  );
  return ["| command | what it does |", "| --- | --- |", ...rows].join("\n");
}

/** Gives the text with a new table between the two marks; `undefined` where it has no marks. */
export function replaceCommandTable(text: string, table: string): string | undefined {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from === -1 || to === -1) return undefined;
  return `${text.slice(0, from + start.length)}\n\n${table}\n\n${text.slice(to)}`;
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|");
}

async function updateReadme(): Promise<void> {
  const readme = new URL("../README.md", import.meta.url);
  const { stdout, stderr, env: environment } = process;
  const table = await createCommandTable(openScreen({ stdout, stderr, environment }));
  const updated = replaceCommandTable(readFileSync(readme, "utf8"), table);
  if (updated === undefined)
    throw new Error(
      `Cannot write the table of commands into "README.md": it has no marks for it, expected ${start} and ${end}`,
    );
  writeFileSync(readme, updated);
}

if (import.meta.main) await updateReadme();
