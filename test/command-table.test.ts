import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { commandList } from "../src/cli/command-list.ts";
import { createCommandTable, replaceCommandTable } from "../scripts/command-table.ts";
import { openScreen } from "../src/cli/screen.ts";

const readme = new URL("../README.md", import.meta.url);
const screen = openScreen({
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  environment: {},
});

test("README.md has the table of commands as they are: node scripts/command-table.ts", async () => {
  const text = readFileSync(readme, "utf8");
  assert.equal(text, replaceCommandTable(text, await createCommandTable(screen)));
});

test("createCommandTable() has a row for each command of the list", async () => {
  const rows = (await createCommandTable(screen)).split("\n").slice(2);
  assert.deepEqual(
    rows.map((row) => /^\| `genkan (\w+) .+` \| [A-Z].+\. \|$/.exec(row)?.[1]),
    Object.keys(commandList),
  );
});

test("replaceCommandTable() leaves what stands around the marks", () => {
  const text = "a\n<!-- commands -->\nold\n<!-- /commands -->\nz";
  const updated = replaceCommandTable(text, "new");
  assert.equal(updated, "a\n<!-- commands -->\n\nnew\n\n<!-- /commands -->\nz");
  assert.equal(replaceCommandTable("no marks", "new"), undefined);
});

test("each command is listed under its own name", async () => {
  for (const [name, load] of Object.entries(commandList)) assert.equal((await load()).name, name);
});
