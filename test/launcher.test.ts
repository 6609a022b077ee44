// bin/genkan.js and scripts/require-node.js: what a Node too old for Genkan gets to read.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { genkan } from "../src/client/plan.ts";

const manifest: { version: string; engines: { node: string } } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);
const floor = manifest.engines.node.replace(">=", "");

test("genkan --version prints the version of package.json", () => {
  const run = start("bin/genkan.js", process.versions.node);
  assert.deepEqual(run, { status: 0, stdout: `genkan ${manifest.version}\n`, stderr: "" });
});

test("the client says of itself the version of package.json", () => {
  assert.deepEqual(genkan, { name: "genkan", version: manifest.version });
});

test("genkan starts on the floor that package.json declares", () => {
  assert.equal(start("bin/genkan.js", `${floor}.0`).status, 0);
});

for (const version of ["20.20.2", "24.20.9"]) {
  test(`genkan says in one line what it needs on Node ${version}`, () => {
    const { status, stdout, stderr } = start("bin/genkan.js", version);
    assert.equal(status, 1);
    assert.equal(stdout, "");
    assert.equal(
      stderr,
      `Cannot start genkan: this is Node ${version}, expected Node ${floor} or newer; type: npx -p node@24 -p genkan genkan\n`,
    );
  });

  test(`npm test says in one line what it needs on Node ${version}`, () => {
    const { status, stderr } = start("scripts/require-node.js", version);
    assert.equal(status, 1);
    assert.match(stderr, /^Cannot go on: this is Node [^\n]+\n$/);
    assert.ok(stderr.includes(`this is Node ${version}, expected Node ${floor} or newer`));
  });
}

test("npm test passes the floor that package.json declares", () => {
  const run = start("scripts/require-node.js", `${floor}.0`);
  assert.deepEqual(run, { status: 0, stdout: "", stderr: "" });
});

/** Runs a file of the checkout in a Node that says it is of this version. */
function start(
  file: string,
  version: string,
): { status: number | null; stdout: string; stderr: string } {
  const pretend = `Object.defineProperty(process.versions, "node", { value: ${JSON.stringify(version)} })`;
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`, path, "--version"],
    { encoding: "utf8", timeout: 30_000 },
  );
  return { status, stdout, stderr };
}
