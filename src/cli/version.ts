/** Genkan's own version. */

import { readFileSync } from "node:fs";

/** Reads it from package.json, which lies two folders up in a checkout and in an installed package. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  if (typeof manifest === "object" && manifest !== null && "version" in manifest)
    return String(manifest.version);
  return "unknown";
}
