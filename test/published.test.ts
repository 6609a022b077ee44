// What npm publishes: dist/, joined by scripts/join.ts, has everything that src/ has.

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { test } from "node:test";

const dist = new URL("../dist/", import.meta.url);
const src = new URL("../src/", import.meta.url);

function readAll(folder: URL, pattern: string): string {
  const files = globSync(pattern, { cwd: folder }).filter((file) => !file.endsWith(".test.ts"));
  return files.map((file) => readFileSync(new URL(file, folder), "utf8")).join("\n");
}

test("dist/ is built", () => {
  assert.ok(existsSync(new URL("index.js", dist)), "type: npm run build");
});

test("every function, class and constant of src/ is declared in dist/, as often", () => {
  const declared = countDeclarations(readAll(src, "**/*.ts"));
  const published = countDeclarations(readAll(dist, "**/*.js"));

  assert.ok(declared.size > 300, "the declarations of src/ were found");
  const missing = [...declared].filter(([name, count]) => (published.get(name) ?? 0) < count);
  assert.deepEqual(missing, []);
});

/** Counts the declarations at the start of a line, where `tsc` and the joiner leave them. */
function countDeclarations(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const declaration = /^(?:export )?(?:async )?(?:function\*?|class|const) (\w+)/gm;
  for (const [, name = ""] of text.matchAll(declaration)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

test("every import of dist/ leads to a file of dist/", () => {
  const files = globSync("**/*.js", { cwd: dist }).map((file) => file.replaceAll("\\", "/"));
  const lost = files.flatMap((file) => {
    const text = readFileSync(new URL(file, dist), "utf8");
    const imports = text.matchAll(
      /^(?:import|export)\b[^;"]*"(\.[^"]+)";|\bimport\("(\.[^"]+)"\)/gm,
    );
    return Array.from(imports, ([, from, later]) => from ?? later ?? "")
      .filter((from) => !existsSync(new URL(from, new URL(file, dist))))
      .map((from) => `${file}: ${from}`);
  });
  assert.ok(files.length > 50, "the files of dist/ were found");
  assert.deepEqual(lost, []);
});

test("the published entry exports what the source exports, one class for each name", async () => {
  const source = await import("../src/index.ts");
  const published: typeof source = await import(new URL("index.js", dist).href);
  assert.deepEqual(Object.keys(published).toSorted(), Object.keys(source).toSorted());

  const server = published.createServer({ name: "one", version: "1.0.0" });
  server.addTool({
    name: "refuse",
    run: () => {
      throw new published.ToolError("for the model to mend");
    },
  });
  const client = await published.connectInMemory(server);
  const { content, isError } = await client.callTool("refuse");
  await client.close();

  assert.equal(isError, true);
  assert.deepEqual(content, [{ type: "text", text: "for the model to mend" }]);
});

test("the published entry has public names alone, and nothing else is read before a server is served", () => {
  assert.deepEqual(importsOf("index.js"), ["./index.joined.js"]);
  const joined = importsOf("index.joined.js");
  assert.deepEqual(
    joined.filter((from) => !from.startsWith("node:")),
    [],
  );
});

function importsOf(file: string): readonly string[] {
  const text = readFileSync(new URL(file, dist), "utf8");
  return Array.from(text.matchAll(/^import .* from "(.*)";$/gm), ([, from = ""]) => from);
}
