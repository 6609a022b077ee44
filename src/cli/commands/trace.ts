/** `genkan trace`: what happened in calls, those that were, or those that come. */

import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { StateDesk, Trace, TraceFilter } from "../../gate/index.ts";
import { UsageError } from "../../protocol/index.ts";
import type { CommandDefinition, Run } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { formatTrace, formatTraceJson, formatTraceLine } from "../gate/show-trace.ts";
import { addStateFlags, type StateFlags } from "../gate/state-flags.ts";
import { withState } from "../gate/with-state.ts";
import { watchInterruption } from "../interruption.ts";

interface TraceFlags extends StateFlags {
  readonly task?: string;
  readonly failed?: boolean;
  readonly limit: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

/** How often it looks for what is new. */
const lookMs = 250;

export const trace: CommandDefinition = {
  name: "trace",
  summary:
    "Shows what happened in calls: the newest ones, one of them step by step, or those that come.",
  takesServer: false,
  exits: ["ok", "usage", "state", "interrupted"],
  define(command, run) {
    addStateFlags(
      command
        .argument("[call_id|trace_id]", "one call, with its steps and its arguments")
        .option("--task <id>", "only calls of this task")
        .option("--failed", "only calls that were refused or failed")
        .option("--limit <count>", "the newest so many", readLimit, 100)
        .option("--follow", "go on with calls that come, until Ctrl-C")
        .option("--json", "print one JSON object a line"),
    ).action(async (id: string | undefined, flags: TraceFlags) =>
      run.end(await showTraces(run, id, flags)),
    );
  },
};

function showTraces(run: Run, id: string | undefined, flags: TraceFlags): Promise<Exit> {
  const { screen } = run;
  return withState(run, flags, async (desk) => {
    const { json = false, follow = false } = flags;
    if (id !== undefined) {
      const found = desk.traces.find(id);
      if (found === undefined) {
        const what = `Cannot show the call ${JSON.stringify(id.slice(0, 100))}: there is no trace of it, expected a call_id or a trace_id`;
        throw new UsageError("no-trace", what, { hint: "genkan trace" });
      }
      screen.print(json ? formatTraceJson(found) : formatTrace(found));
      return "ok";
    }
    const show = (one: Trace): void =>
      screen.print(json ? formatTraceJson(one) : formatTraceLine(one));
    const list = desk.traces.list({ ...filterOf(flags), limit: flags.limit });
    for (const one of list) show(one);
    if (!follow) {
      if (list.length === 0) screen.note("There are no traces of such calls");
      return "ok";
    }
    return await followTraces(desk, flags, list, show);
  });
}

/** A call that still runs is shown again when it has ended. */
async function followTraces(
  desk: StateDesk,
  flags: TraceFlags,
  shown: readonly Trace[],
  show: (one: Trace) => void,
): Promise<Exit> {
  using interruption = watchInterruption();
  using reader = watchReader();
  const signal = AbortSignal.any([interruption.signal, reader.signal]);
  // With --failed a trace that has no code yet is not in the list: it is looked at again from the oldest that runs.
  const { failed = false } = flags;
  const open = new Map(
    shown.filter(({ code }) => code === undefined).map((one) => [one.id, one.traceId]),
  );
  let last = shown.at(-1)?.id ?? newestId(desk);
  while (!signal.aborted) {
    await sleep(lookMs, undefined, { signal }).catch(() => {}); // aborted: the loop ends
    for (const [id, traceId] of open) {
      const now = desk.traces.find(traceId);
      if (now !== undefined && now.code === undefined) continue;
      open.delete(id);
      if (now !== undefined && !(failed && now.code === "ok")) show(now);
    }
    for (const one of desk.traces.list({ ...taskOf(flags), after: last, limit: 10_000 })) {
      last = one.id;
      if (one.code === undefined) open.set(one.id, one.traceId);
      if (!failed || (one.code !== undefined && one.code !== "ok")) show(one);
    }
  }
  return interruption.signal.aborted ? "interrupted" : "ok";
}

/** Traces that the filter left out are not new. */
function newestId(desk: StateDesk): number {
  return desk.traces.list({ limit: 1 })[0]?.id ?? 0;
}

function filterOf({ task, failed }: TraceFlags): TraceFilter {
  return { ...taskOf({ task }), ...(failed !== undefined && { failed }) };
}

function taskOf({ task }: { readonly task?: string | undefined }): TraceFilter {
  return task === undefined ? {} : { task };
}

/** Ends when nobody reads stdout any more, as after `| head -1`. */
function watchReader(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.stdout.on("error", stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => void process.stdout.off("error", stop),
  };
}

function readLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(
    "bad-limit",
    `Cannot show ${JSON.stringify(text)} calls, expected a whole number of at least 1`,
    { hint: "--limit 20" },
  );
}
