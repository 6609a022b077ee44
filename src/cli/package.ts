/** Genkan's own package: where it lies, and which version it is. */

import { readFileSync } from "node:fs";

/**
 * Finds a file of the package by the package's name, so that it does not matter where the asking code lies: in `src/`, in `dist/`, or
 * joined to other files there.
 */
export function findInPackage(path: string): URL {
  return new URL(path, import.meta.resolve("genkan/package.json"));
}

export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(findInPackage("package.json"), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "version" in manifest)
    return String(manifest.version);
  return "unknown";
}
