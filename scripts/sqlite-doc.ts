/** Writes what of docs/sqlite.md is made from the code: the limits, what is refused, and in which words. */

import { readFileSync, writeFileSync } from "node:fs";
import { declaredRefusals, declaredTables, listFaults } from "../fixtures/declared-refusals.ts";
import { makeShedOf } from "../fixtures/sqlite/shed.ts";
import { sqliteLimitsDescription } from "../src/config/describe-sqlite-limits.ts";
import { queryDescription } from "../src/config/doors/describe-query.ts";
import { bigTableRows } from "../src/sqlite/declared/find-big-scans.ts";
import { refusals } from "../src/sqlite/file/refusals.ts";
import { openDatabase, plainFunctions } from "../src/sqlite/index.ts";
import { renewSections } from "./renew-sections.ts";

const page = new URL("../docs/sqlite.md", import.meta.url);

/** Gives the page with new tables. */
export async function renewSqlitePage(text: string): Promise<string> {
  return renewSections(text, {
    limits: tabulateLimits(),
    functions: [...plainFunctions].map((name) => `\`${name}\``).join(", "),
    files: tabulateFiles(),
    tools: await tabulateTools(),
  });
}

function tabulateLimits(): string {
  const ofFile = Object.entries(sqliteLimitsDescription.properties).map(
    ([name, { default: most, description }]) =>
      `| \`databaseLimits.${name}\` | ${most} | ${description} |`,
  );
  const { maxRows } = queryDescription.properties;
  return [
    "| limit | default | what it bounds |",
    "| --- | --- | --- |",
    ...ofFile,
    `| \`queries[].maxRows\` | ${maxRows.default}, at most ${maxRows.maximum} | ${maxRows.description} |`,
    `| \`bigTableRows\` | ${bigTableRows} | From how many rows on \`genkan check\` warns of a table that is read from end to end; fixed. |`,
  ].join("\n");
}

function tabulateFiles(): string {
  const rows = Object.entries(refusals).map(
    ([name, { what, expected }]) => `| \`${name}\` | ${what}, expected ${expected} |`,
  );
  return ["| reason | what is said |", "| --- | --- |", ...rows].join("\n");
}

async function tabulateTools(): Promise<string> {
  using shed = makeShedOf(declaredTables);
  await using database = await openDatabase({ path: shed.file });
  const rows: string[] = [];
  for (const [group, examples] of Object.entries(declaredRefusals))
    for (const [what, query, , door] of examples) {
      const [first = ""] = await listFaults(database, [query], door);
      rows.push(
        `| ${group === "masks" ? "what is masked: " : ""}${what} | ${escapeCell(first.replace(/^queries\.0\.?/, "…"))} |`,
      );
    }
  return ["| what | what is said |", "| --- | --- |", ...rows].join("\n");
}

/** The longest lists of names say no more than their beginnings. */
function escapeCell(text: string): string {
  const short = text.length > 260 ? `${text.slice(0, 260)}…` : text;
  return `\`${short.replaceAll("|", "\\|").replaceAll("`", "'")}\``;
}

if (import.meta.main) writeFileSync(page, await renewSqlitePage(readFileSync(page, "utf8")));
