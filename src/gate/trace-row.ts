/** Reads a trace from its row. */

import { isObject, type JsonObject } from "../protocol/index.ts";
import { isCode } from "./codes.ts";
import type { Step } from "./feature.ts";
import { numberOf, optionalTextOf, textOf } from "./row.ts";
import type { Row } from "./store.ts";
import type { Trace } from "./trace.ts";

export function toTrace(row: Row): Trace {
  const code = optionalTextOf(row, "code");
  const args = optionalTextOf(row, "args");
  return {
    id: numberOf(row, "id"),
    traceId: textOf(row, "trace_id"),
    at: numberOf(row, "at"),
    principal: textOf(row, "principal"),
    door: textOf(row, "door"),
    tool: textOf(row, "tool"),
    risk: textOf(row, "risk") === "write" ? "write" : "read",
    taskId: optionalTextOf(row, "task"),
    callId: optionalTextOf(row, "call"),
    origin: optionalTextOf(row, "origin"),
    code: code !== undefined && isCode(code) ? code : undefined,
    rule: optionalTextOf(row, "rule"),
    attempts: numberOf(row, "attempts"),
    durationMs: numberOf(row, "duration_ms"),
    message: textOf(row, "message"),
    summary: textOf(row, "summary"),
    steps: readSteps(textOf(row, "steps")),
    args: args === undefined ? undefined : readArgs(args),
    fault: optionalTextOf(row, "fault"),
  };
}

function readArgs(json: string): JsonObject | undefined {
  const args: unknown = JSON.parse(json);
  return isObject(args) ? args : undefined;
}

function readSteps(json: string): readonly Step[] {
  const steps: unknown = JSON.parse(json);
  return Array.isArray(steps) ? steps.filter(isStep) : [];
}

function isStep(value: unknown): value is Step {
  if (!isObject(value)) return false;
  const { name, code, index, attempt, startMs, durationMs } = value;
  const numbers = [index, attempt, startMs, durationMs];
  return (
    typeof name === "string" &&
    typeof code === "string" &&
    isCode(code) &&
    numbers.every((number) => typeof number === "number")
  );
}
