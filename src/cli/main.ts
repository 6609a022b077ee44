// The command line's entry: bin/genkan.js starts it.

import { readFileSync } from "node:fs";
import process from "node:process";

const manifest: unknown = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);

if (process.argv[2] === "--version") {
  process.stdout.write(`genkan ${readVersion(manifest)}\n`);
}

function readVersion(value: unknown): string {
  if (typeof value === "object" && value !== null && "version" in value)
    return String(value.version);
  return "unknown";
}
