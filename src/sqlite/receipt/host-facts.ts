/** Where a run took place. */

import { arch, release, type } from "node:os";
import process from "node:process";

export interface HostFacts {
  /** Versions: of Genkan, of Node, and of the SQLite in it. */
  readonly genkan: string;
  readonly node: string;
  readonly sqlite: string;
  /** The kernel and its release. */
  readonly system: string;
  readonly machine: string;
}

export function tellHostFacts(genkan: string): HostFacts {
  const { node, sqlite = "none" } = process.versions;
  return { genkan, node, sqlite, system: `${type()} ${release()}`, machine: arch() };
}
