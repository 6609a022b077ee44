/** The gate's limits as they are described to operators: each with its default and the harm it stops. */

import { defaultGateLimits, type GateLimits, type ToolLimits } from "../gate/index.ts";

export interface LimitDescription {
  readonly type: "integer";
  readonly minimum: 1;
  readonly default?: number;
  readonly description: string;
}

export type LimitsDescription<Name extends string> = {
  readonly type: "object";
  readonly description: string;
  readonly additionalProperties: false;
  readonly properties: Readonly<Record<Name, LimitDescription>>;
};

const texts: Readonly<Record<keyof GateLimits, string>> = {
  deadlineMs:
    "How long a tool may run that names no time of its own: stops a call from never ending.",
  maxDeadlineMs:
    "The longest deadline a tool may name: stops one tool from holding its place for hours.",
  resultBytes:
    "How large a result may be, as JSON: stops one answer from filling a model's memory.",
  queueWaitMs:
    "How long a call may wait for its turn: stops a queue from answering what nobody waits for any more.",
  queueLength: "How many calls may wait: stops a flood from filling the memory.",
  runningPerTool: "Calls of one tool running at once: stops one slow tool from taking every place.",
  runningPerTask: "Calls of one task running at once: stops one task from starving the others.",
  runningPerPrincipal:
    "Calls of one principal running at once: stops one caller from starving the others.",
  callsPerMinute:
    "Calls of one tool and one principal in a minute: stops a loop from hammering the system behind the tool.",
  taskCalls: "Calls of a task, in all: stops a task that goes in circles.",
  taskMs:
    "Time that the calls of a task may run, in all, in ms: stops a task from working for ever.",
  taskBytes:
    "Bytes of results that a task may be given, in all: stops a task from copying a database out.",
  principalCalls: "As taskCalls, for a principal in one hour.",
  principalMs: "As taskMs, for a principal in one hour.",
  principalBytes: "As taskBytes, for a principal in one hour.",
  attempts:
    "How often the gate may run a tool for one call that fails harmlessly: stops it from retrying a dead system for ever.",
  steps: "How many steps of a call are noted: stops a loop of steps from filling the trace.",
  resultTtlMs: "How long results are kept for a repetition of the call.",
  idsTtlMs:
    "How long a call's ids are remembered after its result is gone: stops an old write from being done again.",
  artifactBytes: "The size of one artifact: stops a picture from filling the disk.",
  artifactsBytes: "The size of all artifacts together: stops many pictures from filling the disk.",
  artifactTtlMs: "How long artifacts are kept: stops what was seen once from lying about for ever.",
  drainMs:
    "How long running calls may finish when the server ends: stops a call from keeping the process.",
};

const toolTexts: Readonly<Record<keyof ToolLimits, string>> = {
  deadlineMs: "How long a call may run; at most limits.maxDeadlineMs.",
  resultBytes: "How large a result may be; at most limits.resultBytes.",
  running: "Calls running at once; at most limits.runningPerTool.",
  callsPerMinute: "Calls of one principal in a minute; at most limits.callsPerMinute.",
  attempts:
    "How often the tool may be run for one call that fails harmlessly; at most limits.attempts.",
};

export const limitsDescription: LimitsDescription<keyof GateLimits> = {
  type: "object",
  description:
    "The limits of every call. A tool may have tighter ones of its own, never wider ones.",
  additionalProperties: false,
  properties: describeEach(texts, defaultGateLimits),
};

export const toolLimitsDescription: LimitsDescription<keyof ToolLimits> = {
  type: "object",
  description: "The limits of one tool, in place of those in its definition.",
  additionalProperties: false,
  properties: describeEach(toolTexts, {}),
};

function describeEach<Name extends string>(
  each: Readonly<Record<Name, string>>,
  defaults: Readonly<Partial<Record<Name, number>>>,
): Readonly<Record<Name, LimitDescription>> {
  const described: Partial<Record<Name, LimitDescription>> = {};
  for (const name in each) {
    const value = defaults[name];
    described[name] = {
      type: "integer",
      minimum: 1,
      ...(value !== undefined && { default: value }),
      description: each[name],
    };
  }
  if (hasAll(described, each)) return described;
  throw new Error("A limit has no description"); // the loop gave one to each
}

function hasAll<Name extends string, Value>(
  described: Partial<Record<Name, Value>>,
  each: Readonly<Record<Name, string>>,
): described is Record<Name, Value> {
  return Object.keys(each).every((name) => Object.hasOwn(described, name));
}
