/** The audit log in the state: records are appended, each tied to the one before, by several processes at once. */

import { canonicalJson } from "./canonical-json.ts";
import { genesisHash, hashRecord, type AuditEntry, type AuditHead } from "./audit-record.ts";
import { numberOf, textOf } from "./row.ts";
import type { Migrations, Statement, Store } from "./store.ts";

/**
 * The columns that queries filter by are computed from the record itself: nothing but the record can be changed. No index: a
 * call pays for each page that is written, and who looks for a record can wait for the log to be read.
 */
export const auditMigrations: Migrations = {
  feature: "audit",
  steps: [
    `CREATE TABLE audit_record (
       seq INTEGER PRIMARY KEY, hash TEXT NOT NULL, body TEXT NOT NULL,
       at INTEGER GENERATED ALWAYS AS (body ->> '$.at') VIRTUAL,
       task TEXT GENERATED ALWAYS AS (body ->> '$.task_id') VIRTUAL
     ) STRICT;
     CREATE INDEX audit_by_at ON audit_record (at);
     CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit_record BEGIN SELECT RAISE (ABORT, 'the audit log is append-only'); END;`,
    `DROP INDEX audit_by_at`,
  ],
};

export class AuditLog {
  readonly #store: Store;
  readonly #last: Statement;
  readonly #insert: Statement;

  constructor(store: Store) {
    this.#store = store;
    this.#last = store.prepare("SELECT seq, hash FROM audit_record ORDER BY seq DESC LIMIT 1");
    this.#insert = store.prepare("INSERT INTO audit_record (seq, hash, body) VALUES (?, ?, ?)");
  }

  /** Appends a record and gives the new head. What stands before it is read within the transaction, so the chain has no fork. */
  append(entry: AuditEntry): AuditHead {
    return this.#store.transact(() => {
      const last = this.head();
      const seq = (last?.seq ?? 0) + 1;
      const body = canonicalJson({ seq, ...entry });
      const hash = hashRecord(last?.hash ?? genesisHash, body);
      this.#insert.run(seq, hash, body);
      return { seq, hash };
    });
  }

  /** Gives the end of the chain; `undefined` for a log without a record. */
  head(): AuditHead | undefined {
    const row = this.#last.get();
    return row === undefined ? undefined : { seq: numberOf(row, "seq"), hash: textOf(row, "hash") };
  }
}
