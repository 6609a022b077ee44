/** Runs a tool for one call: again where that is harmless, and not longer than its deadline is waited for. */

import type { Checked } from "../server/index.ts";
import { ToolFailure } from "./failure.ts";
import { toTimerMs } from "./lanes.ts";
import type { RunningCall } from "./running-call.ts";
import type { Accepted, GateCall, ToolChecks } from "./tool.ts";

/** How a run ended: with a value that was checked, or with what was thrown. */
export type Finish = { readonly value: unknown } | { readonly thrown: unknown };

export type Runnable = Extract<Accepted, { readonly run: (call: GateCall) => unknown }>;

/** Runs it once, and again when it fails harmlessly and may; at once where the tool is. Never throws. */
export function runTool(
  { run }: Runnable,
  checks: ToolChecks,
  call: RunningCall,
  attempts: number,
): Finish | Promise<Finish> {
  const finish = runOnce(run, checks, call);
  if (!(finish instanceof Promise) && !mayRunAgain(finish, call, attempts)) return finish;
  return attempts === 1 ? finish : runAgain(finish, run, checks, call, attempts);
}

function runOnce(
  run: Runnable["run"],
  checks: ToolChecks,
  call: RunningCall,
): Finish | Promise<Finish> {
  try {
    const value = run(call);
    return value instanceof Promise
      ? value.then((late: unknown) => checkValue(late, checks), toFailure)
      : checkValue(value, checks);
  } catch (thrown) {
    return { thrown };
  }
}

async function runAgain(
  first: Finish | Promise<Finish>,
  run: Runnable["run"],
  checks: ToolChecks,
  call: RunningCall,
  attempts: number,
): Promise<Finish> {
  let finish = await first;
  while (mayRunAgain(finish, call, attempts)) {
    await pause(pauseOf(finish, call.attempt), call.signal);
    if (call.isStopped) return finish;
    call.attempt++;
    finish = await runOnce(run, checks, call);
  }
  return finish;
}

function mayRunAgain(finish: Finish, call: RunningCall, attempts: number): boolean {
  if (!("thrown" in finish) || !(finish.thrown instanceof ToolFailure)) return false;
  return finish.thrown.isHarmless && call.attempt < attempts && !call.isStopped;
}

/** As long as the tool says; else a tenth of a second, then twice as long each time. */
function pauseOf(finish: Finish, attempt: number): number {
  const asked =
    "thrown" in finish && finish.thrown instanceof ToolFailure
      ? finish.thrown.retryAfterMs
      : undefined;
  return asked ?? 100 * 2 ** (attempt - 1);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, toTimerMs(ms));
    signal.addEventListener("abort", end, { once: true });
  });
}

/** A value outside of the output schema is a fault of the tool. */
function checkValue(value: unknown, { checkOutput }: ToolChecks): Finish | Promise<Finish> {
  const checked = checkOutput(value);
  return checked instanceof Promise ? checked.then(toFinish, toFailure) : toFinish(checked);
}

function toFinish(checked: Checked<unknown>): Finish {
  if (!("issues" in checked)) return checked;
  return {
    thrown: new Error(
      `The tool gave a value outside of its output schema: ${checked.issues.join("; ")}`,
    ),
  };
}

function toFailure(thrown: unknown): Finish {
  return { thrown };
}

/** Those who wait for a run: each gives up when it is called. */
export type Waits = Set<() => void>;

/** Waits for a run until its deadline, then tells it to stop; gives `undefined` when it goes on nevertheless. */
export function waitUntil<Value>(
  run: Promise<Value>,
  ms: number,
  onLate: () => void,
  waits?: Waits,
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      end();
      onLate();
      resolve(undefined);
    };
    const timer = setTimeout(giveUp, toTimerMs(ms));
    const end = (): void => {
      clearTimeout(timer);
      waits?.delete(giveUp);
    };
    waits?.add(giveUp);
    run.then(
      (value) => {
        end();
        resolve(value);
      },
      (thrown: unknown) => {
        end();
        reject(thrown instanceof Error ? thrown : new Error("A run failed", { cause: thrown }));
      },
    );
  });
}
