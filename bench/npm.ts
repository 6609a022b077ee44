/** Runs npm, from its cache where it can. */

import { spawnSync } from "node:child_process";
import { Unavailable } from "./unavailable.ts";

/** Throws what npm said as `Unavailable`; that may be no more than that the machine is offline. */
export function npm(
  folder: string,
  args: readonly string[],
  options: { readonly timeoutMs: number } = { timeoutMs: 60_000 },
): void {
  const { timeoutMs: timeout } = options;
  const { status, stderr } = spawnSync(
    "npm",
    [...args, "--prefer-offline", "--fetch-retries=0", "--loglevel=error"],
    { cwd: folder, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"], timeout },
  );
  if (status === 0) return;
  const said =
    status === null ? `no end within ${timeout} ms` : stderr.trim().replaceAll("\n", "; ");
  throw new Unavailable(
    "not fetched",
    `npm ${args[0]} failed, offline perhaps: ${said.slice(0, 200)}`,
  );
}

/** Installs packages, and whatever they bring, into a folder that has nothing else. */
export function npmInstall(
  folder: string,
  packages: readonly string[],
  options?: { readonly timeoutMs: number },
): void {
  const flags = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"];
  npm(folder, ["install", ...flags, ...packages], options);
}
