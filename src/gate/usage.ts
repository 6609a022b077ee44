/** What tasks and principals have used of their budgets: counted in memory, added to the state every so often. */

import { numberOf } from "./row.ts";
import type { Migrations, Statement, Store } from "./store.ts";

export interface Usage {
  readonly calls: number;
  readonly ms: number;
  readonly bytes: number;
}

export const usageMigrations: Migrations = {
  feature: "usage",
  steps: [
    `CREATE TABLE usage_total (
       scope TEXT PRIMARY KEY, calls INTEGER NOT NULL, ms INTEGER NOT NULL, bytes INTEGER NOT NULL, at INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID;`,
  ],
};

interface Count {
  /** What the state had, of all processes, when it was last read. */
  stored: Usage;
  calls: number;
  ms: number;
  bytes: number;
}

/** How many scopes are kept in memory: stops made-up task ids from filling it. */
const maxScopes = 10_000;
/** How long what a scope used is remembered. */
const keptMs = 30 * 24 * 3_600_000;

/** A budget is a brake, not an account: a crash forgets what was counted since the last flush, a fraction of a second. */
export class UsageBook {
  readonly #now: () => number;
  readonly #counts = new Map<string, Count>();
  readonly #dirty = new Set<string>();
  readonly #find: Statement | undefined;
  readonly #add: Statement | undefined;
  readonly #prune: Statement | undefined;
  readonly #store: Store | undefined;

  constructor(store: Store | undefined, now: () => number) {
    this.#now = now;
    this.#store = store;
    this.#find = store?.prepare("SELECT calls, ms, bytes FROM usage_total WHERE scope = ?");
    this.#add = store?.prepare(
      `INSERT INTO usage_total VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (scope) DO UPDATE
       SET calls = calls + ?2, ms = ms + ?3, bytes = bytes + ?4, at = ?5 RETURNING calls, ms, bytes`,
    );
    this.#prune = store?.prepare("DELETE FROM usage_total WHERE at < ?");
  }

  /** Whether something is counted that the state does not have. */
  get isDirty(): boolean {
    return this.#dirty.size > 0;
  }

  read(scope: string): Usage {
    const { stored, calls, ms, bytes } = this.#count(scope);
    return { calls: stored.calls + calls, ms: stored.ms + ms, bytes: stored.bytes + bytes };
  }

  add(scope: string, calls: number, ms: number, bytes: number): void {
    const count = this.#count(scope);
    count.calls += calls;
    count.ms += ms;
    count.bytes += bytes;
    this.#dirty.add(scope);
  }

  /** Adds what was counted to the state, and learns what other processes counted. */
  flush(): void {
    const store = this.#store;
    const statement = this.#add;
    if (this.#dirty.size === 0) return;
    if (store === undefined || statement === undefined) return this.#forget();
    const totals = store.transact(() =>
      Array.from(this.#dirty, (scope) => {
        const { calls, ms, bytes } = this.#count(scope);
        const row = statement.get(scope, calls, Math.round(ms), bytes, this.#now());
        return [scope, row === undefined ? nothing : toUsage(row)] as const;
      }),
    );
    for (const [scope, stored] of totals)
      this.#counts.set(scope, { stored, calls: 0, ms: 0, bytes: 0 });
    this.#forget();
  }

  /** Forgets in the state what nothing was added to for a month. */
  prune(): void {
    this.#prune?.run(this.#now() - keptMs);
  }

  #count(scope: string): Count {
    const known = this.#counts.get(scope);
    if (known !== undefined) return known;
    const row = this.#find?.get(scope);
    const count = { stored: row === undefined ? nothing : toUsage(row), calls: 0, ms: 0, bytes: 0 };
    this.#counts.set(scope, count);
    return count;
  }

  /** Drops the scopes that were read first, once there are too many: the state, if there is one, has them by now. */
  #forget(): void {
    this.#dirty.clear();
    for (const scope of this.#counts.keys()) {
      if (this.#counts.size <= maxScopes) return;
      this.#counts.delete(scope);
    }
  }
}

const nothing: Usage = { calls: 0, ms: 0, bytes: 0 };

function toUsage(row: Parameters<typeof numberOf>[0]): Usage {
  return { calls: numberOf(row, "calls"), ms: numberOf(row, "ms"), bytes: numberOf(row, "bytes") };
}
