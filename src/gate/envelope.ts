/** The one shape of every result that leaves the gate. */

import { isObject, type JsonObject } from "../protocol/index.ts";
import { isCode, type Code } from "./codes.ts";

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
  readonly step?: StepPlace | undefined;
  /** Whether this is the kept result of an earlier call with the same ids. */
  readonly replayed: boolean;
  readonly task_id: string | null;
  readonly call_id: string | null;
  /** 32 hexadecimal digits; a replay has the id of the first run. */
  readonly trace_id: string;
  readonly retry_after_ms?: number | undefined;
  readonly duration_ms: number;
}

export interface StepPlace {
  readonly name: string;
  /** From 1. */
  readonly index: number;
  /** How many steps the tool declares; `null` when it declares none. */
  readonly of: number | null;
}

/** Is true for what was kept as an envelope; its `data` was checked before it was kept. */
export function isEnvelope(value: unknown): value is Envelope {
  return (
    isObject(value) &&
    typeof value["ok"] === "boolean" &&
    typeof value["code"] === "string" &&
    isCode(value["code"]) &&
    typeof value["trace_id"] === "string" &&
    typeof value["duration_ms"] === "number" &&
    Array.isArray(value["warnings"])
  );
}

/** Makes the schema of an envelope around a tool's own output. */
export function envelopeSchema(output: JsonObject, codeNames: readonly string[]): JsonObject {
  const { $schema, $defs, definitions, ...data } = output;
  return {
    ...($schema !== undefined && { $schema }),
    type: "object",
    properties: {
      ok: { type: "boolean" },
      code: { enum: codeNames },
      retryable: {
        type: "boolean",
        description: "The same call, sent again with the same ids, can end otherwise",
      },
      attempts: { type: "integer", minimum: 0 },
      message: { type: "string" },
      hint: { type: "string", description: "What to do next" },
      data: { anyOf: [data, { type: "null" }] },
      warnings: { type: "array", items: { type: "string" } },
      step: {
        type: "object",
        properties: {
          name: { type: "string" },
          index: { type: "integer" },
          of: { type: ["integer", "null"] },
        },
        required: ["name", "index", "of"],
      },
      replayed: {
        type: "boolean",
        description: "The kept result of an earlier call with the same ids",
      },
      task_id: { type: ["string", "null"] },
      call_id: { type: ["string", "null"] },
      trace_id: { type: "string" },
      retry_after_ms: { type: "integer" },
      duration_ms: { type: "number" },
    },
    required: [
      "ok",
      "code",
      "retryable",
      "attempts",
      "message",
      "hint",
      "data",
      "warnings",
      "replayed",
      "task_id",
      "call_id",
      "trace_id",
      "duration_ms",
    ],
    ...($defs !== undefined && { $defs }), // a "$ref" counts from the root: what it names goes there too
    ...(definitions !== undefined && { definitions }),
  };
}
