/** The commands as a table for README.md, made from the list that the command line itself reads. */

import { loadCommands } from "./command-list.ts";
import { buildProgram } from "./program.ts";
import type { Screen } from "./screen.ts";

const start = "<!-- commands -->";
const end = "<!-- /commands -->";

/** Gives a Markdown table with one row for each command. */
export async function makeCommandTable(screen: Screen): Promise<string> {
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
