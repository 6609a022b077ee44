/** Writes what the suites have found: a page for docs/, and a few lines for a terminal. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Report, Scenario } from "./run-suite.ts";
import type { Suite } from "./suites.ts";

/** Where the page is. */
export const pageFile = new URL("../../docs/conformance.md", import.meta.url);

export function makePage(reports: readonly Report[]): string {
  return `# Conformance

What [the official conformance suite](https://github.com/modelcontextprotocol/conformance), version ${readVersion()}, finds of
Genkan. \`npm run conformance\` runs it, \`npm run conformance -- --write\` writes this page, and \`npm test\` holds that both are
as they stand here. There is no list of expected failures. A warning counts as a failure.

The suite lays down what 2025-11-25 and 2026-07-28 require; of the older revisions, everything it has is taken as required.
The server and the client that are examined are in \`test/conformance/\`.

${toTable(["suite", "required, passed", "not counted, passed"], reports.map(summarize))}

Not counted are extensions, and scenarios that came after the revision or that the suite's own example cannot pass. What
fails of them belongs to extensions that Genkan does not have: tasks, DPoP, enterprise-managed authorization, and workload
identity federation. Not exercised are \`server-sse-polling\`, which wants a tool that breaks off its own stream, a thing that
Genkan gives no tool to do, and \`tasks-status-notifications\`, which the suite itself skips. The scenarios of the skills
extension (\`sep-2640-…\`) are in no revision's list and do not run.

${reports.map(describe).join("\n\n")}
`;
}

/** Gives a line for each suite. */
export function makeSummary(reports: readonly Report[]): string {
  const rows = reports.map(summarize);
  return rows
    .map(
      ([suite = "", required, others]) =>
        `${suite.padEnd(18)} required ${required}, not counted ${others}`,
    )
    .join("\n");
}

export function nameSuite({ revision, side }: Suite): string {
  return `${revision} ${side}`;
}

function summarize({ suite, scenarios }: Report): readonly string[] {
  const required = scenarios.filter(({ standing }) => standing === "required");
  const others = scenarios.filter(({ standing }) => standing !== "required");
  return [nameSuite(suite), count(required), others.length === 0 ? "–" : count(others)];
}

function count(scenarios: readonly Scenario[]): string {
  const passed = scenarios.filter(({ verdict }) => verdict === "passed");
  return `${passed.length} of ${scenarios.length}`;
}

function describe({ suite, scenarios }: Report): string {
  const rows = scenarios.map(({ name, standing, verdict, objections }) => {
    const ids = [...new Set(objections.map(({ id }) => `\`${id}\``))];
    return [`\`${name}\``, standing, [verdict, ...ids].join(ids.length === 0 ? "" : " ")];
  });
  return `## ${nameSuite(suite)}\n\n${toTable(["scenario", "standing", "result"], rows)}`;
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function readVersion(): string {
  const file = import.meta.resolve("@modelcontextprotocol/conformance/package.json");
  const manifest: unknown = JSON.parse(readFileSync(fileURLToPath(file), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "";
}
