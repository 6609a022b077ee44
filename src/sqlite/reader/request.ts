/** What a pool asks of a reader and what the reader answers: one JSON text in each frame. */

import type { Examination, Schema } from "../database.ts";
import type { Fingerprint } from "../file/fingerprint.ts";
import type { Allowance, Answer } from "../query.ts";

export type Request =
  | {
      readonly kind: "query";
      readonly source: Source;
      readonly query: BoundQuery;
      readonly deadlineMs: number;
    }
  | { readonly kind: "describe"; readonly source: Source; readonly deadlineMs: number }
  | {
      readonly kind: "examine";
      readonly source: Source;
      readonly sql: string;
      readonly deadlineMs: number;
    };

/** The file to read, and the owner's file that it is, or is a copy of. */
export interface Source {
  /** A number of its own for each state of the file: what was prepared for another is thrown away. */
  readonly generation: number;
  readonly file: string;
  readonly watched: string;
  /** What `watched` must be like, or the answer is "changed". */
  readonly fingerprint: Fingerprint;
  readonly checksBefore: boolean;
  readonly checksAfter: boolean;
}

export interface BoundQuery {
  readonly sql: string;
  readonly parameters: readonly (readonly [name: string, value: Bound])[];
  readonly maxRows: number;
  readonly allows: Allowance;
}

/** Whole numbers are told from reals by their shape, as JSON does not tell them apart. */
export type Bound = null | string | number | { readonly integer: string };

export type Reply =
  | { readonly kind: "ready" }
  | ({ readonly kind: "answer" } & RawAnswer)
  | ({ readonly kind: "schema" } & Schema)
  | ({ readonly kind: "examination" } & Examination)
  /** The watched file is not what its fingerprint says: there is no answer. */
  | { readonly kind: "changed" }
  | { readonly kind: "failed"; readonly failure: Failure };

/** An answer as it stands in the database: not yet cleaned. */
export type RawAnswer = Omit<Answer, "removed">;

/** Why there is no answer; the pool finds the words for it. */
export type Failure =
  /** SQLite's own error; `whilePreparing`: before anything of the database's contents was read. */
  | {
      readonly of: "sqlite";
      readonly code: number;
      readonly text: string;
      readonly whilePreparing: boolean;
    }
  | { readonly of: "statement"; readonly text: string }
  | { readonly of: "cell"; readonly column: number }
  | { readonly of: "row" };

/** What a reader is told when it is started. */
export interface ReaderSetup {
  /** The process that asks; without it the reader ends. */
  readonly parent: number;
  /** The parent's private copies: removed by whoever outlives the parent. */
  readonly folder: string | undefined;
  readonly cellBytes: number;
  /** How many bytes of JSON the rows of one answer may have, about. */
  readonly answerBytes: number;
}
