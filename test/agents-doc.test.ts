// What AGENTS.md names is there.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../", import.meta.url);
const page = readFileSync(new URL("AGENTS.md", root), "utf8");

test("every file and folder that AGENTS.md names from the root is there", () => {
  const named = Array.from(
    page.matchAll(/`((?:bench|docs|fixtures|scripts|src|test)\/[\w./-]*)`/g),
  );
  const paths = named.map(([, path = ""]) => path);
  assert.ok(paths.includes("src/gate/limits.ts"), "paths are found");
  assert.deepEqual(
    paths.filter((path) => !existsSync(new URL(path, root))),
    [],
  );
});

test("every room of src/ has its row in AGENTS.md", () => {
  const entries = readdirSync(new URL("src/", root), { withFileTypes: true });
  const rooms = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  assert.deepEqual(
    rooms.filter((room) => !page.includes(`\n| \`${room}/\` |`)),
    [],
  );
});
