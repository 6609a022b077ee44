/** Gets the peers from npm when they are first wanted, into a folder that is kept: they are hundreds of megabytes. */

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { npmInstall } from "../npm.ts";

const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "genkan-bench");
const timeoutMs = 300_000;

/**
 * Gives the folder that holds `node_modules` with the package in it. Throws an `Unavailable` where npm cannot.
 *
 * @param specifier the package and its exact version
 */
export function fetchPeer(specifier: string): string {
  const folder = join(cache, specifier.replaceAll("/", "+"));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const coming = mkdtempSync(join(cache, "coming-"));
  try {
    writeFileSync(join(coming, "package.json"), '{ "private": true }');
    npmInstall(coming, [specifier], { timeoutMs });
    renameSync(coming, folder);
  } finally {
    rmSync(coming, { recursive: true, force: true });
  }
  return folder;
}
