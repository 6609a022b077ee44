/** What an installation brings: packages and megabytes, of the packed Genkan and of the official SDKs. */

import { globSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench, Case, Measured } from "../bench.ts";
import { toRecord } from "../messages.ts";
import { npm, npmInstall } from "../npm.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const itself = "this package";

export const weight: Bench = {
  name: "weight",
  title: "Weight of an installation",
  figures: [
    {
      id: "packages",
      title: "packages",
      unit: "",
      digits: 0,
      goal: { of: "value", is: "≤", limit: 25 },
    },
    { id: "size", title: "size", unit: "MB", digits: 1, goal: { of: "value", is: "≤", limit: 20 } },
    { id: "files", title: "files", unit: "", digits: 0 },
  ],
  cases: [
    { subject: "genkan", what: itself },
    { subject: "sdk-v1", what: "@modelcontextprotocol/sdk" },
    { subject: "sdk-v2", what: "@modelcontextprotocol/server @modelcontextprotocol/client" },
    { subject: "sdk-v2 server", what: "@modelcontextprotocol/server" },
  ],
  rounds: 1,
  warmUps: 0,
  isPinned: false,
  measure,
};

async function measure({ what }: Case): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "bench-weight-"));
  try {
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    const packages = what === itself ? [pack(folder)] : what.split(" ").map(withOurVersion);
    npmInstall(folder, packages);
    return weigh(join(folder, "node_modules"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function weigh(folder: string): Measured {
  const paths = globSync("**/*", { cwd: folder, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory(),
  );
  const bytes = paths.map((entry) => lstatSync(join(entry.parentPath, entry.name)).size);
  const lock: unknown = JSON.parse(readFileSync(join(folder, ".package-lock.json"), "utf8"));
  return {
    packages: Object.keys(toRecord(toRecord(lock)["packages"])).length,
    size: bytes.reduce((sum, each) => sum + each, 0) / 1e6,
    files: paths.length,
  };
}

/** Packs what the last build left, as `npm publish` would, and gives the path of the tarball. */
function pack(folder: string): string {
  npm(root, ["pack", "--ignore-scripts", "--pack-destination", folder]);
  return globSync("*.tgz", { cwd: folder }).map((name) => join(folder, name))[0] ?? "";
}

/** The version that is installed here: most likely in npm's cache. */
function withOurVersion(name: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return `${name}@${String(toRecord(toRecord(manifest)["devDependencies"])[name])}`;
}
