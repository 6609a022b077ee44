/** The one shape of every result that leaves the gate. */

import type { Code } from "./codes.ts";

export interface Envelope {
  readonly ok: boolean;
  readonly code: Code;
  /** Whether sending the same call again, with the same ids, can end otherwise. */
  readonly retryable: boolean;
  /** How often the tool was run for this result; 0 when it was not. */
  readonly attempts: number;
  /** What happened, for the model; empty when all went well. */
  readonly message: string;
  /** What to do next; empty when there is nothing to be said. */
  readonly hint: string;
  /** The tool's value; `null` when there is none. */
  readonly data: unknown;
  readonly warnings: readonly string[];
  /** The step that a failed call had reached. */
  readonly step?: StepPlace;
  /** Whether this is the kept result of an earlier call with the same ids. */
  readonly replayed: boolean;
  readonly task_id: string | null;
  readonly call_id: string | null;
  /** 32 hexadecimal digits; a replay has the id of the first run. */
  readonly trace_id: string;
  readonly retry_after_ms?: number;
  readonly duration_ms: number;
}

export interface StepPlace {
  readonly name: string;
  /** From 1. */
  readonly index: number;
  /** How many steps the tool declares; `null` when it declares none. */
  readonly of: number | null;
}
