/** Writes the table of commands into README.md, between `<!-- commands -->` and `<!-- /commands -->`. */

import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { makeCommandTable, replaceCommandTable } from "../src/cli/command-table.ts";
import { openScreen } from "../src/cli/screen.ts";

const readme = new URL("../README.md", import.meta.url);
const { stdout, stderr, env: environment } = process;
const table = await makeCommandTable(openScreen({ stdout, stderr, environment }));
const updated = replaceCommandTable(readFileSync(readme, "utf8"), table);
if (updated === undefined)
  throw new Error("Cannot write the table of commands: README.md has no <!-- commands --> section");
writeFileSync(readme, updated);
