/** Writes what of the gate's documentation is made from its code: the tables of docs/gate.md, and genkan.schema.json for editors. */

import { readFileSync, writeFileSync } from "node:fs";
import { describeReference, makeConfigSchema } from "../src/config/index.ts";
import { codes, rules } from "../src/gate/index.ts";
import { renewSections } from "./renew-sections.ts";

const page = new URL("../docs/gate.md", import.meta.url);
const schemaFile = new URL("../genkan.schema.json", import.meta.url);

/** Gives the page with new tables. */
export function renewGatePage(text: string): string {
  return renewSections(text, {
    codes: tabulateCodes(),
    rules: tabulateRules(),
    configuration: describeReference(),
  });
}

function tabulateCodes(): string {
  const rows = Object.entries(codes).map(
    ([name, { retryable, meaning, next }]) =>
      `| \`${name}\` | ${retryable ? "yes" : "no"} | ${meaning} | ${next} |`,
  );
  return [
    "| code | retryable | what it means | what the model should do next |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function tabulateRules(): string {
  const rows = rules.map(({ id, stage, summary }) => `| \`${id}\` | ${stage} | ${summary} |`);
  return ["| rule | stage | what holds |", "| --- | --- | --- |", ...rows].join("\n");
}

if (import.meta.main) {
  writeFileSync(page, renewGatePage(readFileSync(page, "utf8")));
  writeFileSync(schemaFile, `${JSON.stringify(makeConfigSchema(), undefined, 2)}\n`);
}
