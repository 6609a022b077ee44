/** Says, without making anything, why a state folder could not be used: a server would find out when it starts. */

import { accessSync, constants, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Gives `undefined` for one that can be made or written, as far as the system tells beforehand. */
export function findStateFault(stateDir: string): string | undefined {
  if (isThere(stateDir)) {
    if (!statSync(stateDir).isDirectory()) return "it cannot be written (ENOTDIR)";
    const lasting = join(stateDir, "state.db");
    const code = tryAccess(stateDir) ?? (isThere(lasting) ? tryAccess(lasting) : undefined);
    return code === undefined ? undefined : `it cannot be written (${code})`;
  }
  let above = dirname(stateDir);
  while (!isThere(above) && dirname(above) !== above) above = dirname(above);
  const code = statSync(above).isDirectory() ? tryAccess(above) : "ENOTDIR";
  return code === undefined ? undefined : `it cannot be made (${code})`;
}

function isThere(path: string): boolean {
  return tryAccess(path, constants.F_OK) === undefined;
}

function tryAccess(path: string, mode = constants.W_OK): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "refused";
  }
}
