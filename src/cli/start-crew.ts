/** Starts the processes that read a database before all else is loaded that a server is made of. */

import { readFileSync } from "node:fs";
import type { Crew } from "../sqlite/index.ts";

/** Gives none where they cannot be started: whoever needs them will say why. */
export async function startCrew(): Promise<Crew | undefined> {
  const { Crew } = await import("../sqlite/crew.ts");
  const crew = new Crew();
  try {
    crew.startAhead();
    return crew;
  } catch {
    await crew[Symbol.asyncDispose]();
    return undefined;
  }
}

/** Starts them where a configuration seems to have a use for them, which nobody has read yet. */
export async function startCrewFor(file: string): Promise<Crew | undefined> {
  return seemsToNeedCrew(file) ? await startCrew() : undefined;
}

function seemsToNeedCrew(file: string): boolean {
  try {
    return /\bkind["']?\s*:\s*["']?(?:sqlite|aio)\b/.test(readFileSync(file, "utf8"));
  } catch {
    return false; // whoever reads it will say why
  }
}
