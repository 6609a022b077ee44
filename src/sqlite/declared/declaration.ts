/** What an operator declares: tools over one SQLite file, each of them one SELECT. */

import type { FailureCode, ToolLimits } from "../../gate/index.ts";

/** All that stands at a door beside the file and its limits; a fault's path begins with one of these names. */
export interface Declarations {
  /** What may be read: tables, and views by their own name. Default: all but SQLite's own and the inner tables of virtual ones. */
  readonly tables?: readonly string[];
  /** Columns that are NULL to every tool, as `table.column`. */
  readonly mask?: readonly string[];
  /** Functions beside those that only compute. */
  readonly functions?: readonly string[];
  /** Whether a statement may be a recursive WITH. Default: no. */
  readonly recursive?: boolean;
  readonly queries: readonly QueryDeclaration[];
}

export interface QueryDeclaration {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly statement: string;
  readonly parameters?: readonly ParameterDeclaration[];
  /** Default: 100; at most 1 000. */
  readonly maxRows?: number;
  /** Columns that are NULL to this tool, beside the door's. */
  readonly mask?: readonly string[];
  readonly limits?: ToolLimits;
  readonly examples?: readonly ExampleDeclaration[];
}

export interface ParameterDeclaration {
  /** Without its sign. */
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean";
  readonly description: string;
  /** Default: yes, unless there is a default. One that is left out is NULL to the statement. */
  readonly required?: boolean;
  readonly default?: Scalar;
  /** In characters. */
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly Scalar[];
  /** A regular expression of JavaScript, with the `u` flag; it may match anywhere. */
  readonly pattern?: string;
}

export type Scalar = string | number | boolean;

export interface ExampleDeclaration {
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly expect?: Expectation;
}

export interface Expectation {
  /** All of them in their order; of each only the columns that are named. */
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  /** How many rows there are. */
  readonly count?: number;
  /** All of them, in their order. */
  readonly columns?: readonly string[];
  /** Default: `ok`. */
  readonly code?: ExpectedCode;
}

export type ExpectedCode = "ok" | "invalid_arguments" | FailureCode;

export interface DeclarationFault {
  /** From the door on. */
  readonly path: readonly (string | number)[];
  /** `<what is>, expected <what should be>`. */
  readonly what: string;
}

export const defaultMaxRows = 100;

/** The most rows that a tool may give: stops a statement without a condition from filling a model's memory. */
export const mostRows = 1000;
