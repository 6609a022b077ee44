/** What a pool asks of a reader and what the reader answers: one JSON text in each frame. */

import type { Examination, Schema } from "../database.ts";
import type { Fingerprint } from "../file/fingerprint.ts";
import type { Allowance, Answer } from "../query.ts";

export type Request =
  | (ReadRequest & { readonly kind: "query" } & Omit<BoundQuery, "text"> & {
        /** A place among this reader's statements: 0 to `maxStatements` - 1. */
        readonly statement: number;
        /** What stands there from now on; left out where that has been told. */
        readonly text?: StatementText | undefined;
      })
  | (ReadRequest & { readonly kind: "describe" })
  | (ReadRequest & { readonly kind: "examine"; readonly sql: string; readonly masked: Masked })
  /** Close the files of this state, if they are open; there is no reply. */
  | { readonly kind: "release"; readonly generation: number };

type Masked = NonNullable<Allowance["masked"]>;

export interface ReadRequest {
  /** A number of its own for each state of the file: what was prepared for another is thrown away. */
  readonly generation: number;
  /** Where that state is; left out where it is the one that was told last. */
  readonly source?: Source | undefined;
  /**
   * When to make sure that the owner's file is as it was; otherwise the reply is "changed". In place it is afterwards: what was
   * read is then of that state alone, and nothing that was committed before the question is missing in it.
   */
  readonly check?: "before" | "after" | undefined;
  readonly deadlineMs: number;
}

/** The file to read, and the owner's file that it is, or is a copy of. */
export interface Source {
  readonly file: string;
  readonly owner: OwnerFile;
}

export interface OwnerFile {
  /** As it was named: a link in it may lead elsewhere by now. */
  readonly named: string;
  /** Where that led. */
  readonly real: string;
  readonly fingerprint: Fingerprint;
}

export interface BoundQuery {
  readonly text: StatementText;
  readonly parameters: readonly (readonly [name: string, value: Bound])[];
  readonly maxRows: number;
}

export interface StatementText {
  readonly sql: string;
  readonly allows: Allowance;
}

/** How many statements a reader keeps: stops it from growing with each new text. */
export const maxStatements = 64;

/** Whole numbers are told from reals by their shape, as JSON does not tell them apart. */
export type Bound = null | string | number | { readonly integer: string };

export type Reply = (
  | { readonly kind: "ready" }
  | ({ readonly kind: "answer" } & RawAnswer)
  | ({ readonly kind: "schema" } & Schema)
  | ({ readonly kind: "examination" } & Examination)
  /** The owner's file is not what its fingerprint says: there is no answer. */
  | { readonly kind: "changed" }
  | { readonly kind: "failed"; readonly failure: Failure }
) & {
  /** The reader holds so much memory now that a new one is better. */
  readonly isSpent?: true;
};

/** An answer as it stands in the database: not yet cleaned. */
export type RawAnswer = Omit<Answer, "removed">;

/** Why there is no answer; the pool finds the words for it. */
export type Failure =
  /** SQLite's own error; `isPrepared`: whether it had begun to read what stands in the database. */
  | {
      readonly of: "sqlite";
      readonly code: number;
      readonly text: string;
      readonly isPrepared: boolean;
    }
  | { readonly of: "statement"; readonly text: string }
  /** A value in this column, counted from 1, is larger than a cell may be. */
  | { readonly of: "cell"; readonly column: number }
  /** One row alone is larger than an answer may be. */
  | { readonly of: "row" };

/** What a reader is told when it is started. */
export interface ReaderSetup {
  /** The process that asks; without it the reader ends. */
  readonly parent: number;
  /** The parent's private copies, if it has any: removed by whoever outlives the parent. */
  readonly folder: string;
  readonly cellBytes: number;
  /** About how many bytes of JSON one answer may have, before its last row. */
  readonly answerBytes: number;
}
