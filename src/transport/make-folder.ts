/** Makes a folder and what leads to it: Node's own `recursive` tries for ever where a folder takes no other, as under /proc. */

import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Makes those that are not there, level by level and for their owner alone. Throws what the system says of the one it refuses. */
export function makeFolder(path: string, mode = 0o700): void {
  const refusal = tryFolder(path, mode);
  if (refusal === undefined) return;
  if (codeOf(refusal) !== "ENOENT" || dirname(path) === path) throw refusal;
  makeFolder(dirname(path), mode);
  const last = tryFolder(path, mode);
  if (last !== undefined) throw last;
}

/** Gives what was thrown; nothing where the folder is there, whoever has made it. */
function tryFolder(path: string, mode: number): unknown {
  try {
    mkdirSync(path, mode);
    return undefined;
  } catch (thrown) {
    return isFolder(path) ? undefined : thrown;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // not there, or nothing that we may see
  }
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}
