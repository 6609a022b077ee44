/** Makes a folder and what leads to it: Node's own `recursive` tries for ever where a folder takes no other, as under /proc. */

import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Makes those that are not there, level by level and for their owner alone. Throws what the system says of the one it refuses. */
export function makeFolder(path: string, mode = 0o700): void {
  try {
    makeOne(path, mode);
  } catch (thrown) {
    const isAlone = thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT";
    if (!isAlone || dirname(path) === path) throw thrown;
    makeFolder(dirname(path), mode);
    makeOne(path, mode);
  }
}

/** A folder that is there will do, whoever has made it. */
function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, mode);
  } catch (thrown) {
    if (!isFolder(path)) throw thrown;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // not there, or nothing that we may see
  }
}
