// docs/gate.md and the JSON Schema for editors are what the code says.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { renewGatePage } from "../scripts/gate-doc.ts";
import { commandList } from "../src/cli/command-list.ts";
import { makeConfigSchema, readConfiguration } from "../src/config/index.ts";

const root = new URL("../", import.meta.url);
const page = readFileSync(new URL("docs/gate.md", root), "utf8");

test("the tables of docs/gate.md are what scripts/gate-doc.ts makes", () => {
  assert.equal(page, renewGatePage(page), "type: node scripts/gate-doc.ts");
});

test("genkan.schema.json is the description that reads genkan.yaml", () => {
  const shipped: unknown = JSON.parse(readFileSync(new URL("genkan.schema.json", root), "utf8"));
  assert.deepEqual(shipped, makeConfigSchema(), "type: node scripts/gate-doc.ts");
});

test("every configuration in docs/gate.md and examples/ fits the schema, and a misspelt one does not", () => {
  const fits = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(makeConfigSchema());
  const shown = [...page.matchAll(/```yaml\n(name.*?)```/gs)].map(([, text = ""]) => text);
  const files = globSync("examples/**/*.yaml", { cwd: root }).map((file) =>
    readFileSync(new URL(file, root), "utf8"),
  );
  assert.deepEqual([shown.length, files.length], [1, 2]);
  for (const text of [...shown, ...files]) {
    assert.ok(fits(parse(text)), JSON.stringify(fits.errors));
    assert.ok(!fits(parse(text.replace(/^name:/m, "nam:"))));
    assert.ok(!fits(parse(text.replace(/kind: (\w+)\w/, "kind: $1"))));
  }
});

test("every command that docs/gate.md shows is one", () => {
  const shown = [...page.matchAll(/\bgenkan ([a-z]+)/g)].map(([, name = ""]) => name);
  assert.ok(shown.length > 10);
  for (const name of shown) assert.ok(Object.hasOwn(commandList, name), name);
});

test("the tool that docs/gate.md declares is one that the gate takes", () => {
  const [, snippet = ""] = /```ts\n(.*?)```/s.exec(page) ?? [];
  const script = `${snippet}\nasync function cancelInShop(order: number) { return String(order); }\nconsole.log(cancelOrder.name, cancelOrder.risk);`;
  const flags = ["--input-type=module-typescript", "--eval", script];
  const printed = execFileSync(process.execPath, flags, {
    cwd: fileURLToPath(root),
    encoding: "utf8",
  });
  assert.equal(printed, "cancel_order write\n");
});

test("the mistake that docs/gate.md quotes is told in these words", () => {
  const [, quoted = ""] = /`(genkan\.yaml:[^`]+)`/.exec(page) ?? [];
  const [, yaml = ""] = /```yaml\n(name.*?)```/s.exec(page) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "genkan-doc-"));
  try {
    const file = join(folder, "genkan.yaml");
    writeFileSync(file, yaml.replace("taskCalls", "taskCals"));
    assert.throws(() => readConfiguration(file), {
      message: join(folder, quoted.replaceAll(/\s+/g, " ")),
    });
    writeFileSync(file, yaml);
    assert.equal(readConfiguration(file).settings.name, "shop");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
