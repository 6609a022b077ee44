/** Finds where a path leads, also the path of what is not there yet. */

import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Gives the path from the root, through all links; of what is not there, through those of its folder; else as it is. */
export function findReal(path: string): string {
  const whole = resolve(path);
  return tryReal(whole) ?? join(tryReal(dirname(whole)) ?? dirname(whole), basename(whole));
}

function tryReal(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // whoever opens it next meets the reason
  }
}
