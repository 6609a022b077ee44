/** Finds the processes that a command has left behind. */

import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** Every process inherits it, unless it was started with an environment of its own. */
export const markerName = "GENKAN_RECEIPT_RUN";

/**
 * Waits until none is left, as long as `limitMs`, and names the programs of those that are.
 *
 * Gives `undefined` where that cannot be told: only Linux shows the environment of a process, to its owner.
 */
export async function awaitLeftovers(
  marker: string,
  limitMs: number,
): Promise<readonly string[] | undefined> {
  for (let waited = 0; ; waited += pauseMs) {
    const names = await findMarked(`${markerName}=${marker}`);
    if (names === undefined || names.length === 0 || waited >= limitMs) return names;
    await sleep(pauseMs);
  }
}

const pauseMs = 50;

async function findMarked(entry: string): Promise<readonly string[] | undefined> {
  const all = await readdir("/proc").catch(() => []);
  const ids = all.filter((name) => /^\d+$/.test(name));
  if (ids.length === 0) return undefined;
  const names: string[] = [];
  for (const id of ids) {
    const environment = await readFile(`/proc/${id}/environ`, "latin1").catch(() => ""); // it has ended, or is another's
    if (!environment.split("\0").includes(entry)) continue;
    const name = await readFile(`/proc/${id}/comm`, "utf8").catch(() => "");
    if (name !== "") names.push(name.trim());
  }
  return names.toSorted();
}
