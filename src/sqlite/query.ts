/** What may be asked of a database, and what it answers. */

import type { Removed } from "../gate/index.ts";

/** Whole numbers are bound as INTEGER, others as REAL, booleans as 0 and 1. */
export type Parameter = string | number | bigint | boolean | null;

export interface Query {
  /** One SELECT, which only the operator or Genkan writes; never a caller. */
  readonly sql: string;
  /** By name, without the colon; each of the statement's and no other. */
  readonly parameters?: Readonly<Record<string, Parameter>>;
  /** How many rows are read; one more is looked for, so that `hasMore` is known. */
  readonly maxRows: number;
  /** Default and most: the database's `queryMs`. */
  readonly deadlineMs?: number;
  readonly allows?: Allowance;
}

/** What a statement may do; SQLite itself holds it to this, whatever has become of the schema. */
export interface Allowance {
  /** What it may read, in any case of letters: a view and also what stands behind it. Default: all but SQLite's own tables. */
  readonly tables?: readonly string[];
  /** Whether it may be a recursive WITH. Default: no. */
  readonly recursion?: boolean;
  /** Columns that are NULL to it wherever it looks, in WHERE and ORDER BY too. */
  readonly masked?: readonly { readonly table: string; readonly column: string }[];
}

export interface Answer {
  /** As the statement names them, cleaned; two of the same name are told apart as `name` and `name_2`. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** Whether there are more rows than were asked for. */
  readonly hasMore: boolean;
  /** What cleaning took out of the values, in all: only by it can a tool say that it was redacted. */
  readonly removed: Removed;
}

/**
 * A value of SQLite in JSON: whole numbers beyond ±(2^53−1) are decimal strings, infinite reals `"Infinity"` and `"-Infinity"`,
 * TEXT stays text whatever it looks like, and NULL alone is `null`.
 */
export type Value = null | number | string | Blob | BrokenText;

/** Bytes are told by their size and their digest; they are never given out. */
export interface Blob {
  readonly blob_bytes: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

/** TEXT that is not UTF-8: each broken part is U+FFFD. */
export interface BrokenText {
  readonly text: string;
  readonly invalid_utf8: true;
}

/** The JSON Schema of a `Value`. */
export const valueSchema = {
  anyOf: [
    { type: ["null", "number", "string"] },
    {
      type: "object",
      properties: {
        blob_bytes: { type: "integer", minimum: 0 },
        sha256: { type: "string", pattern: "^[0-9a-f]{64}$" },
      },
      required: ["blob_bytes", "sha256"],
      additionalProperties: false,
    },
    {
      type: "object",
      properties: { text: { type: "string" }, invalid_utf8: { const: true } },
      required: ["text", "invalid_utf8"],
      additionalProperties: false,
    },
  ],
} as const;
