// The README tells the truth: its transcript is what the demo prints, and its server is one that runs.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");

function blocksOf(language: string): readonly string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(
    ([, text = ""]) => text,
  );
}

function genkan(...words: readonly string[]): string {
  const main = fileURLToPath(new URL("src/cli/main.ts", root));
  return execFileSync(process.execPath, [main, ...words], {
    cwd: fileURLToPath(root),
    encoding: "utf8",
  });
}

/** The one thing that differs from run to run. */
function withoutTimes(text: string): string {
  return text.replaceAll(/\d+ ms/g, "… ms");
}

test("its transcripts are what `genkan demo` prints", () => {
  const printed = withoutTimes(genkan("demo"));
  const transcripts = blocksOf("text");
  assert.equal(transcripts.length, 2);
  for (const transcript of transcripts)
    assert.ok(printed.includes(withoutTimes(transcript)), transcript);
});

test("its server is examples/greeter/server.ts, in at most ten lines, and serves", () => {
  const [server = ""] = blocksOf("ts");
  assert.equal(server, readFileSync(new URL("examples/greeter/server.ts", root), "utf8"));
  assert.ok(server.trimEnd().split("\n").length <= 10);

  const words = [
    "call",
    "greet",
    '{"name":"Hanako"}',
    "--",
    process.execPath,
    "examples/greeter/server.ts",
  ];
  assert.equal(genkan(...words), "Hello, Hanako!\n");
});

test("its client is one that calls", () => {
  const [, client = ""] = blocksOf("ts");
  const script = `${client}\nprocess.stdout.write(JSON.stringify(content));`;
  const flags = ["--input-type=module-typescript", "--eval", script];
  const options = { cwd: fileURLToPath(root), encoding: "utf8" } as const;
  const printed = execFileSync(process.execPath, flags, options);
  assert.deepEqual(JSON.parse(printed), [{ type: "text", text: "Hello, Hanako!" }]);
});

test("every file it points to is there", () => {
  const paths = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = ""]) => path);
  assert.ok(paths.length >= 4);
  for (const path of paths) assert.ok(existsSync(new URL(path, root)), path);
});
