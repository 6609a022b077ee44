import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { commandList } from "./command-list.ts";
import { makeCommandTable, replaceCommandTable } from "./command-table.ts";
import { openScreen } from "./screen.ts";

const readme = new URL("../../README.md", import.meta.url);
const screen = openScreen({
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  environment: {},
});

test("README.md has the table of commands as they are: node scripts/command-table.ts", async (context) => {
  const text = existsSync(readme) ? readFileSync(readme, "utf8") : "";
  const updated = replaceCommandTable(text, await makeCommandTable(screen));
  if (updated === undefined) return context.skip("README.md has no table of commands yet");
  assert.equal(text, updated);
});

test("makeCommandTable() has a row for each command of the list", async () => {
  const rows = (await makeCommandTable(screen)).split("\n").slice(2);
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
