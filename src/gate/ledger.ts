/** The ledger of calls with ids: the intent before a side effect, the outcome after it, and the result for a repetition. */

import { isObject, type ResourceLink } from "../protocol/index.ts";
import { isEnvelope, type Envelope } from "./envelope.ts";
import type { CallFacts } from "./feature.ts";
import type { GateLimits } from "./limits.ts";
import { optionalNumberOf, optionalTextOf, textOf, numberOf } from "./row.ts";
import { StateError } from "./state-error.ts";
import type { Migrations, Row, Statement, Store } from "./store.ts";

export const ledgerMigrations: Migrations = {
  feature: "ledger",
  steps: [
    `CREATE TABLE ledger_entry (
       key TEXT PRIMARY KEY, digest TEXT NOT NULL, facts TEXT NOT NULL, grant_id TEXT, runner TEXT NOT NULL,
       begun_at INTEGER NOT NULL, ended_at INTEGER, state TEXT NOT NULL, sealed TEXT
     ) STRICT, WITHOUT ROWID;
     CREATE INDEX ledger_by_end ON ledger_entry (ended_at) WHERE ended_at IS NOT NULL;`,
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
  readonly #insert: Statement;
  readonly #find: Statement;
  readonly #settle: Statement;
  readonly #free: Statement;
  readonly #abandon: Statement;
  readonly #dropResults: Statement;
  readonly #dropEntries: Statement;
  readonly #limits: Pick<GateLimits, "resultTtlMs" | "idsTtlMs">;
  readonly #now: () => number;

  constructor(
    store: Store,
    limits: Pick<GateLimits, "resultTtlMs" | "idsTtlMs">,
    now: () => number,
  ) {
    this.#limits = limits;
    this.#now = now;
    this.#insert = store.prepare(
      `INSERT INTO ledger_entry VALUES (?, ?, ?, ?, ?, ?, NULL, 'intent', NULL)`,
    );
    this.#find = store.prepare(
      "SELECT key, digest, grant_id, runner, begun_at, ended_at, state, sealed FROM ledger_entry WHERE key = ?",
    );
    this.#settle = store.prepare(
      "UPDATE ledger_entry SET state = ?, sealed = ?, ended_at = ? WHERE key = ? AND state = 'intent'",
    );
    this.#free = store.prepare("DELETE FROM ledger_entry WHERE key = ? AND state = 'intent'");
    this.#abandon = store.prepare(
      "UPDATE ledger_entry SET state = 'unknown', ended_at = ? WHERE runner = ? AND state = 'intent' RETURNING facts, grant_id",
    );
    this.#dropResults = store.prepare(
      "UPDATE ledger_entry SET state = 'expired', sealed = NULL WHERE ended_at < ? AND state = 'done'",
    );
    this.#dropEntries = store.prepare("DELETE FROM ledger_entry WHERE ended_at < ?");
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
    this.#insert.run(key, digest, JSON.stringify(kept), grant ?? null, runner, this.#now());
  }

  /** Stores how a call ended. */
  settle(key: string, sealed: Sealed): void {
    this.#settle.run("done", JSON.stringify(sealed), this.#now(), key);
  }

  /** Stores that nobody knows how a call ended. */
  settleUnknown(key: string): void {
    this.#settle.run("unknown", null, this.#now(), key);
  }

  /** Forgets a call that did nothing: its ids may be used again. */
  free(key: string): void {
    this.#free.run(key);
  }

  /** Makes what a dead runner has begun `unknown`, and gives what it was. */
  abandon(
    runner: string,
  ): readonly { readonly facts: CallFacts; readonly grant: string | undefined }[] {
    return this.#abandon.all(this.#now(), runner).flatMap((row) => {
      const facts: unknown = JSON.parse(textOf(row, "facts"));
      return isFacts(facts) ? [{ facts, grant: optionalTextOf(row, "grant_id") }] : [];
    });
  }

  /** Drops the results that are kept no longer, and at last the ids. */
  prune(): void {
    this.#dropResults.run(this.#now() - this.#limits.resultTtlMs);
    this.#dropEntries.run(this.#now() - this.#limits.idsTtlMs);
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
    const state = textOf(row, "state");
    if (endedAt === undefined) return { ...known, state: "intent" };
    if (state === "unknown") return { ...known, state };
    if (state === "expired" || this.#now() - endedAt > this.#limits.resultTtlMs)
      return { ...known, state: "expired", endedAt };
    return { ...known, state: "done", sealed: parseSealed(textOf(row, "sealed")) };
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
