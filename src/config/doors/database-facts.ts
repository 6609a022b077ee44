/** What `genkan check` says of a SQLite file behind a door. */

import { statSync } from "node:fs";
import type { Database } from "../../sqlite/index.ts";
import type { DoorFact } from "../door.ts";

export function listDatabaseFacts({ path, way, limits }: Database): readonly DoorFact[] {
  return [
    { name: "database", text: path },
    { name: "read", text: ways[way] },
    { name: "size", text: `${sizeOf(path) + sizeOf(`${path}-wal`)} bytes` },
    ...Object.entries(limits).map(([name, value]) => ({ name, text: String(value) })),
  ];
}

const ways: Readonly<Record<Database["way"], string>> = {
  "in-place": "in-place: where it is, without a lock",
  copy: "copy: from a private copy of its last state, because it is being written",
};

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
