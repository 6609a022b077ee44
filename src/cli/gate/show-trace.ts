/** Shows a trace: one line of it in a list, all of it by itself, or as JSON. */

import type { Trace } from "../../gate/index.ts";
import { escapeJson, toPrintable, toPrintableLines } from "../../protocol/index.ts";
import { layOutRows } from "./lay-out.ts";
import { formatTime } from "./time.ts";

/** Gives time, code, tool, time taken, ids, arguments, and what was said of a failure. */
export function formatTraceLine(trace: Trace): string {
  const { at, code, tool, durationMs, taskId, callId, traceId, summary, message } = trace;
  const parts = [
    formatTime(at),
    (code ?? "running").padEnd(widestUsualCode),
    toPrintable(tool, 64),
    `${durationMs.toFixed(1)} ms`,
    callId === undefined
      ? traceId
      : `${toPrintable(taskId ?? "-", 100)}/${toPrintable(callId, 100)}`,
    toPrintable(summary, 200),
    ...(message === "" ? [] : [`· ${toPrintable(message, 300)}`]),
  ];
  return parts.join("  ");
}

const widestUsualCode = "grant_required".length;

export function formatTrace(trace: Trace): string {
  const {
    traceId,
    at,
    principal,
    door,
    tool,
    risk,
    taskId,
    callId,
    origin,
    code,
    rule,
    attempts,
    durationMs,
    message,
    args,
    summary,
    fault,
    steps,
  } = trace;
  const rows = Object.entries({
    trace: traceId,
    came: formatTime(at),
    principal,
    door,
    tool: `${tool} (${risk})`,
    task: taskId,
    call: callId,
    origin,
    code: code ?? "running",
    rule,
    attempts: String(attempts),
    duration: `${durationMs.toFixed(1)} ms`,
    message: message === "" ? undefined : message,
    arguments: args === undefined ? summary : JSON.stringify(args),
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, toPrintable(value, 2000)]]));
  const stepRows = steps.map(({ name, attempt, startMs, durationMs: ms, code: ending }) => [
    "",
    `at ${startMs.toFixed(1)} ms`,
    toPrintable(name, 100),
    `attempt ${attempt}`,
    ending,
    `${ms.toFixed(1)} ms`,
  ]);
  return [
    ...layOutRows(rows),
    ...(stepRows.length === 0 ? [] : ["steps", ...layOutRows(stepRows)]),
    ...(fault === undefined ? [] : ["fault", toPrintableLines(fault)]),
  ].join("\n");
}

/** Gives one line of JSON; times are ISO 8601, in UTC. */
export function formatTraceJson({ at, ...trace }: Trace): string {
  return escapeJson(JSON.stringify({ ...trace, at: new Date(at).toISOString() }));
}
