/** Writes what of docs/aio-probe.md is made from the code: the schema, its tables, and an answer of each tool. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDesk } from "../fixtures/gate.ts";
import {
  fieldLimits,
  hostLimit,
  mostEvidence,
  rawUrlLimit,
  urlLimit,
} from "../src/aio/field-limits.ts";
import { createSample, openAio } from "../src/aio/index.ts";
import { notObserved, outcomeNames, outcomes } from "../src/aio/outcomes.ts";
import { createTables } from "../src/aio/tables.ts";
import type { GateTool } from "../src/gate/index.ts";
import { isObject } from "../src/protocol/index.ts";
import { renewSections } from "./renew-sections.ts";

const page = new URL("../docs/aio-probe.md", import.meta.url);

/** What the examples are asked of: `genkan aio sample sample.db --runs 4 --keywords 60`. */
const sample = { runs: 4, keywords: 60 } as const;

const calls = {
  list_runs: { limit: 2, before: 4 },
  compare_buckets: {},
  get_keyword_evidence: { keyword: "How to clean a paper screen" },
} as const;

/** Gives the page with new parts. */
export async function renewAioPage(text: string): Promise<string> {
  return renewSections(text, {
    schema: `\`\`\`sql\n${createTables.trim()}\n\`\`\``,
    outcomes: tabulateOutcomes(),
    limits: tabulateLimits(),
    ...(await showTools()),
  });
}

function tabulateOutcomes(): string {
  const rows = outcomeNames.map((name) => {
    const { share, aio_present, meaning } = outcomes[name];
    return `| \`${name}\` | \`${aio_present}\` | ${share} | ${meaning} |`;
  });
  return [
    "| outcome | `aio_present` | in the counts | the one sentence that is told (`meaning`) |",
    "| --- | --- | --- | --- |",
    ...rows,
    `| \`not_observed\` | (no observation) | – | ${notObserved} |`,
  ].join("\n");
}

function tabulateLimits(): string {
  const rows = Object.entries(fieldLimits).map(([name, limit]) => [
    name === "time" ? "started_at, completed_at, fetched_at" : name,
    `${limit} characters, then cut`,
  ]);
  return [
    "| what | at most |",
    "| --- | --- |",
    ...[
      ...rows,
      ["domain", `${hostLimit} characters, else not shown`],
      ["url", `${urlLimit} characters as shown and ${rawUrlLimit} as stored, else not shown`],
      ["citations, and organic results", `${mostEvidence} in one answer`],
    ].map(([what, limit]) => `| ${what} | ${limit} |`),
  ].join("\n");
}

async function showTools(): Promise<Readonly<Record<string, string>>> {
  const folder = mkdtempSync(join(tmpdir(), "genkan-aio-doc-"));
  try {
    const path = join(folder, "aio.db");
    await createSample(path, sample);
    const aio = await openAio({ path });
    try {
      await using desk = await openDesk(aio.tools);
      const shown: [string, string][] = [];
      for (const [name, args] of Object.entries(calls)) {
        const tool = aio.tools.find((each) => each.name === name);
        if (tool === undefined) throw new Error(`There is no tool ${name}`);
        const { data, warnings } = await desk.call(name, args);
        const call = `\`${name}(${JSON.stringify(args)})\` gives:`;
        const said = warnings.map((text) => `\n\nwith the warning: ${text}`).join("");
        const answer = `\`\`\`json\n${formatJson(data)}\n\`\`\`${said}`;
        shown.push([name, [tool.description, tabulateInput(tool), call, answer].join("\n\n")]);
      }
      return Object.fromEntries(shown);
    } finally {
      await aio.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tabulateInput({ inputSchema }: GateTool): string {
  const { properties } = inputSchema;
  const rows = Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    if (!isObject(schema)) throw new Error(`The argument ${name} has no schema`);
    const { type, description, minimum, maximum, maxLength } = schema;
    const kind = Array.isArray(type) ? type.join(" or ") : String(type);
    const bounds = {
      integer: `${String(minimum)} to ${String(maximum)}`,
      string: `at most ${String(maxLength)} characters`,
    };
    const said = [
      typeof description === "string" ? description : undefined,
      kind === "integer" || kind === "string" ? bounds[kind] : undefined,
      "default" in schema ? `default ${String(schema["default"])}` : undefined,
    ];
    return `| \`${name}\` | ${kind} | ${said.filter((text) => text !== undefined).join("; ")} |`;
  });
  return ["| argument | type | |", "| --- | --- | --- |", ...rows].join("\n");
}

const width = 110;

/** JSON in which what is short shares a line. */
function formatJson(value: unknown, indent = ""): string {
  const line = JSON.stringify(value);
  if (indent.length + line.length <= width || typeof value !== "object" || value === null)
    return line;
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(
    ([name, member]) => `${isList ? "" : `${JSON.stringify(name)}: `}${formatJson(member, deeper)}`,
  );
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const joined = `${last}, ${part}`;
    if (last === undefined || joined.includes("\n") || joined.length > width - deeper.length)
      lines.push(part);
    else lines[lines.length - 1] = joined;
  }
  const inner = lines.map((text) => deeper + text).join(",\n");
  return isList ? `[\n${inner}\n${indent}]` : `{\n${inner}\n${indent}}`;
}

if (import.meta.main) writeFileSync(page, await renewAioPage(readFileSync(page, "utf8")));
