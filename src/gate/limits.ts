/** Every limit of the gate: its name, its default, and the harm it stops. */

import { UsageError } from "../protocol/index.ts";

export interface GateLimits {
  /** How long a tool may run that names no time of its own: stops a call from never ending. */
  readonly deadlineMs: number;
  /** The longest deadline a tool may name: stops one tool from holding its place for hours. */
  readonly maxDeadlineMs: number;
  /** How large a result may be, as JSON: stops one answer from filling a model's memory. */
  readonly resultBytes: number;
  /** How long a call may wait for its turn: stops a queue from answering what nobody waits for any more. */
  readonly queueWaitMs: number;
  /** How many calls may wait: stops a flood from filling the memory. */
  readonly queueLength: number;
  /** Calls of one tool running at once: stops one slow tool from taking every place. */
  readonly runningPerTool: number;
  /** Calls of one task running at once: stops one task from starving the others. */
  readonly runningPerTask: number;
  /** Calls of one principal running at once: stops one caller from starving the others. */
  readonly runningPerPrincipal: number;
  /** Calls of one tool and one principal in a minute: stops a loop from hammering the system behind the tool. */
  readonly callsPerMinute: number;
  /** Calls of a task, in all: stops a task that goes in circles. */
  readonly taskCalls: number;
  /** Time that the calls of a task may run, in all, in ms: stops a task from working for ever. */
  readonly taskMs: number;
  /** Bytes of results that a task may be given, in all: stops a task from copying a database out. */
  readonly taskBytes: number;
  /** As `taskCalls`, for a principal in one hour. */
  readonly principalCalls: number;
  /** As `taskMs`, for a principal in one hour. */
  readonly principalMs: number;
  /** As `taskBytes`, for a principal in one hour. */
  readonly principalBytes: number;
  /** How often the gate may run a tool for one call that fails harmlessly: stops it from retrying a dead system for ever. */
  readonly attempts: number;
  /** How many steps of a call are noted: stops a loop of steps from filling the trace. */
  readonly steps: number;
  /** How long results are kept for a replay. */
  readonly resultTtlMs: number;
  /** How long a call's ids are remembered after its result is gone: stops an old write from being done again. */
  readonly idsTtlMs: number;
  /** The size of one artifact: stops a picture from filling the disk. */
  readonly artifactBytes: number;
  /** The size of all artifacts together: stops many pictures from filling the disk. */
  readonly artifactsBytes: number;
  /** How long artifacts are kept: stops what was seen once from lying about for ever. */
  readonly artifactTtlMs: number;
  /** How long running calls may finish when the gate is disposed of: stops a call from keeping the process. */
  readonly drainMs: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export const defaultGateLimits: GateLimits = {
  deadlineMs: 30_000,
  maxDeadlineMs: 10 * minute,
  resultBytes: 100_000,
  queueWaitMs: 5_000,
  queueLength: 100,
  runningPerTool: 16,
  runningPerTask: 8,
  runningPerPrincipal: 32,
  callsPerMinute: 600,
  taskCalls: 1_000,
  taskMs: hour,
  taskBytes: 20_000_000,
  principalCalls: 20_000,
  principalMs: 10 * hour,
  principalBytes: 400_000_000,
  attempts: 3,
  steps: 1_000,
  resultTtlMs: day,
  idsTtlMs: 30 * day,
  artifactBytes: 20_000_000,
  artifactsBytes: 500_000_000,
  artifactTtlMs: day,
  drainMs: 5_000,
};

/** Fills in the defaults. Throws a `UsageError` for a limit that is no number of at least 1. */
export function resolveLimits(chosen: Partial<GateLimits> = {}): GateLimits {
  for (const [name, value] of Object.entries(chosen)) {
    if (!Object.hasOwn(defaultGateLimits, name))
      throw invalidLimit(
        name,
        "there is no such limit",
        `expected one of ${Object.keys(defaultGateLimits).join(", ")}`,
      );
    if (value !== Infinity && (!Number.isSafeInteger(value) || value < 1))
      throw invalidLimit(
        name,
        `it is ${value}`,
        "expected a whole number of at least 1, or Infinity",
      );
  }
  return { ...defaultGateLimits, ...chosen };
}

/** The limits a tool may set for itself; each at most what the gate allows. */
export interface ToolLimits {
  /** Default: the gate's `deadlineMs`; at most its `maxDeadlineMs`. */
  readonly deadlineMs?: number;
  readonly resultBytes?: number;
  /** Calls running at once; default and most: `runningPerTool`. */
  readonly running?: number;
  readonly callsPerMinute?: number;
  /** How often the tool may be run for one call, when it fails harmlessly; default: 1. */
  readonly attempts?: number;
}

/** Gives a tool's limits. Throws a `UsageError` that names the limit for one above the gate's: it is not cut down. */
export function resolveToolLimits(
  tool: string,
  chosen: ToolLimits,
  gate: GateLimits,
): Required<ToolLimits> {
  const resolve = (
    name: keyof ToolLimits,
    fallback: number,
    most: number,
    limit: keyof GateLimits,
  ): number => {
    const value = chosen[name] ?? fallback;
    if (value !== Infinity && (!Number.isSafeInteger(value) || value < 1))
      throw invalidLimit(
        `${tool}.${name}`,
        `it is ${value}`,
        "expected a whole number of at least 1",
      );
    if (value <= most) return value;
    throw invalidLimit(
      `${tool}.${name}`,
      `it is ${value}`,
      `expected at most ${most}, the gate's ${limit}`,
    );
  };
  return {
    deadlineMs: resolve(
      "deadlineMs",
      Math.min(gate.deadlineMs, gate.maxDeadlineMs),
      gate.maxDeadlineMs,
      "maxDeadlineMs",
    ),
    resultBytes: resolve("resultBytes", gate.resultBytes, gate.resultBytes, "resultBytes"),
    running: resolve("running", gate.runningPerTool, gate.runningPerTool, "runningPerTool"),
    callsPerMinute: resolve(
      "callsPerMinute",
      gate.callsPerMinute,
      gate.callsPerMinute,
      "callsPerMinute",
    ),
    attempts: resolve("attempts", 1, gate.attempts, "attempts"),
  };
}

function invalidLimit(name: string, what: string, expected: string): UsageError {
  return new UsageError("invalid-limit", `Cannot use the limit "${name}": ${what}, ${expected}`);
}
