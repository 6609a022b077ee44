/** Brings the tables of every feature to what this version of Genkan expects, once, whichever process comes first. */

import { numberOf } from "./row.ts";
import { StateError } from "./state-error.ts";
import type { Migrations, Store } from "./store.ts";

/** Applies the steps that are missing, all in one transaction. Throws a `StateError` for a state of a newer Genkan. */
export function migrate(store: Store, features: readonly Migrations[]): void {
  if (isUpToDate(store, features)) return; // most opens: nothing is written, so no other process is waited for
  store.transact(() => {
    store
      .prepare(
        "CREATE TABLE IF NOT EXISTS migration (feature TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT",
      )
      .run();
    for (const { feature, steps } of features) {
      const version = readVersion(store, feature);
      if (version >= steps.length) continue;
      for (const step of steps.slice(version))
        for (const sql of splitStep(step)) store.prepare(sql).run();
      store.prepare("INSERT OR REPLACE INTO migration VALUES (?, ?)").run(feature, steps.length);
    }
  });
}

function isUpToDate(store: Store, features: readonly Migrations[]): boolean {
  const table = store.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migration'").get();
  if (table === undefined) return false;
  return features.every(({ feature, steps }) => {
    const version = readVersion(store, feature);
    if (version <= steps.length) return version === steps.length;
    const what = `its tables of "${feature}" have version ${version}, expected at most ${steps.length}`;
    throw new StateError("newer", `Cannot open the state "${store.place}": ${what}`);
  });
}

function readVersion(store: Store, feature: string): number {
  const row = store.prepare("SELECT version FROM migration WHERE feature = ?").get(feature);
  return row === undefined ? 0 : numberOf(row, "version");
}

/** A prepared statement is one statement: SQLite would pass over what follows in silence. */
function splitStep(step: string): readonly string[] {
  return step.split(/;\s*(?:\n|$)/).filter((sql) => sql.trim() !== "");
}
