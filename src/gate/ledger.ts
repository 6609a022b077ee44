/** The ledger of calls with ids: the intent before a side effect, the outcome after it, and the result for a repetition. */

import { isObject, type ResourceLink } from "../protocol/index.ts";
import { isEnvelope, type Envelope } from "./envelope.ts";
import type { CallFacts } from "./feature.ts";
import type { GateLimits } from "./limits.ts";
import { optionalNumberOf, optionalTextOf, textOf, numberOf } from "./row.ts";
import { StateError } from "./state-error.ts";
import type { Migrations, Row, Statement, Store } from "./store.ts";

/**
 * A call adds a row when it begins and one when it ends, and changes none: a page that a call writes is at the end of its table.
 * The ends have no index: those whose results are gone are so small that all of them are looked through in no time.
 */
export const ledgerMigrations: Migrations = {
  feature: "ledger",
  steps: [
    `CREATE TABLE ledger_entry (
       key TEXT PRIMARY KEY, digest TEXT NOT NULL, facts TEXT NOT NULL, grant_id TEXT, runner TEXT NOT NULL,
       begun_at INTEGER NOT NULL, ended_at INTEGER, state TEXT NOT NULL, sealed TEXT
     ) STRICT, WITHOUT ROWID;
     CREATE INDEX ledger_by_end ON ledger_entry (ended_at) WHERE ended_at IS NOT NULL;`,
    `CREATE TABLE ledger_intent (
       id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, facts TEXT NOT NULL, grant_id TEXT,
       runner TEXT NOT NULL, begun_at INTEGER NOT NULL
     ) STRICT;
     CREATE TABLE ledger_end (
       intent INTEGER PRIMARY KEY, ended_at INTEGER NOT NULL, state TEXT NOT NULL, sealed TEXT
     ) STRICT;
     INSERT INTO ledger_intent (key, digest, facts, grant_id, runner, begun_at)
       SELECT key, digest, facts, grant_id, runner, begun_at FROM ledger_entry ORDER BY begun_at, key;
     INSERT INTO ledger_end
       SELECT id, ended_at, iif(state = 'unknown', state, 'done'), sealed FROM ledger_intent JOIN ledger_entry USING (key)
       WHERE ended_at IS NOT NULL;
     DROP TABLE ledger_entry;`,
  ],
};

/** A result as it is kept and sent. */
export interface Sealed {
  readonly envelope: Envelope;
  readonly links: readonly ResourceLink[];
}

/** What the ledger knows of a call. */
export type Entry = {
  readonly key: string;
  readonly digest: string;
  readonly runner: string;
  readonly grant: string | undefined;
  readonly begunAt: number;
} & (
  | { readonly state: "intent" }
  | { readonly state: "done"; readonly sealed: Sealed }
  /** Its process died, or nobody knows what the tool had done when it was stopped. */
  | { readonly state: "unknown" }
  | { readonly state: "expired"; readonly endedAt: number }
);

export class Ledger {
  readonly #store: Store;
  readonly #find: Statement;
  readonly #begin: Statement;
  readonly #end: Statement;
  readonly #free: Statement;
  readonly #listOpen: Statement;
  readonly #dropResults: Statement;
  readonly #dropIntents: Statement;
  readonly #dropEnds: Statement;
  readonly #limits: Pick<GateLimits, "resultTtlMs" | "idsTtlMs">;
  readonly #now: () => number;

  constructor(
    store: Store,
    limits: Pick<GateLimits, "resultTtlMs" | "idsTtlMs">,
    now: () => number,
  ) {
    this.#store = store;
    this.#limits = limits;
    this.#now = now;
    this.#find = store.prepare(
      `SELECT key, digest, grant_id, runner, begun_at, ended_at, state, sealed
       FROM ledger_intent LEFT JOIN ledger_end ON intent = id WHERE key = ?`,
    );
    this.#begin = store.prepare(
      `INSERT INTO ledger_intent (key, digest, facts, grant_id, runner, begun_at) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.#end = store.prepare(
      "INSERT OR IGNORE INTO ledger_end SELECT id, ?, ?, ? FROM ledger_intent WHERE key = ?",
    );
    const isOpen = "id NOT IN (SELECT intent FROM ledger_end)";
    this.#free = store.prepare(`DELETE FROM ledger_intent WHERE key = ? AND ${isOpen}`);
    this.#listOpen = store.prepare(
      `SELECT key, facts, grant_id FROM ledger_intent WHERE runner = ? AND ${isOpen}`,
    );
    this.#dropResults = store.prepare(
      "UPDATE ledger_end SET sealed = NULL WHERE ended_at < ? AND sealed IS NOT NULL",
    );
    this.#dropIntents = store.prepare(
      "DELETE FROM ledger_intent WHERE id IN (SELECT intent FROM ledger_end WHERE ended_at < ?)",
    );
    this.#dropEnds = store.prepare("DELETE FROM ledger_end WHERE ended_at < ?");
  }

  find(key: string): Entry | undefined {
    const row = this.#find.get(key);
    return row === undefined ? undefined : this.#toEntry(row);
  }

  /** Stores the intent of a call whose key is free: before its side effect. */
  begin(
    key: string,
    digest: string,
    facts: CallFacts,
    grant: string | undefined,
    runner: string,
  ): void {
    const kept = { ...facts, args: undefined }; // arguments are the traces' business, and may hold what is personal
    this.#begin.run(key, digest, JSON.stringify(kept), grant ?? null, runner, this.#now());
  }

  /** Stores how a call ended. */
  settle(key: string, sealed: Sealed): void {
    this.#end.run(this.#now(), "done", JSON.stringify(sealed), key);
  }

  /** Stores that nobody knows how a call ended. */
  settleUnknown(key: string): void {
    this.#end.run(this.#now(), "unknown", null, key);
  }

  /** Forgets a call that did nothing: its ids may be used again. */
  free(key: string): void {
    this.#free.run(key);
  }

  /** Makes what a dead runner has begun `unknown`, and gives what it was. */
  abandon(
    runner: string,
  ): readonly { readonly facts: CallFacts; readonly grant: string | undefined }[] {
    return this.#listOpen.all(runner).flatMap((row) => {
      this.settleUnknown(textOf(row, "key"));
      const facts: unknown = JSON.parse(textOf(row, "facts"));
      return isFacts(facts) ? [{ facts, grant: optionalTextOf(row, "grant_id") }] : [];
    });
  }

  /** Drops the results that are kept no longer, and at last the ids. */
  prune(): void {
    this.#store.transact(() => {
      this.#dropResults.run(this.#now() - this.#limits.resultTtlMs);
      const before = this.#now() - this.#limits.idsTtlMs;
      this.#dropIntents.run(before);
      this.#dropEnds.run(before);
    });
  }

  #toEntry(row: Row): Entry {
    const known = {
      key: textOf(row, "key"),
      digest: textOf(row, "digest"),
      runner: textOf(row, "runner"),
      grant: optionalTextOf(row, "grant_id"),
      begunAt: numberOf(row, "begun_at"),
    };
    const endedAt = optionalNumberOf(row, "ended_at");
    if (endedAt === undefined) return { ...known, state: "intent" };
    if (textOf(row, "state") === "unknown") return { ...known, state: "unknown" };
    const sealed = optionalTextOf(row, "sealed");
    if (sealed === undefined || this.#now() - endedAt > this.#limits.resultTtlMs)
      return { ...known, state: "expired", endedAt };
    return { ...known, state: "done", sealed: parseSealed(sealed) };
  }
}

function parseSealed(text: string): Sealed {
  const sealed: unknown = JSON.parse(text);
  if (isSealed(sealed)) return sealed;
  throw new StateError("corrupt", "Cannot read a result of the state: it is no envelope");
}

function isSealed(value: unknown): value is Sealed {
  return isObject(value) && isEnvelope(value["envelope"]) && Array.isArray(value["links"]);
}

function isFacts(value: unknown): value is CallFacts {
  return (
    isObject(value) &&
    typeof value["traceId"] === "string" &&
    typeof value["tool"] === "string" &&
    typeof value["principal"] === "string"
  );
}
