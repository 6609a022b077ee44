/** Ends a process step by step: close its stdin, then SIGTERM, then SIGKILL, each to the whole group and after a wait. */

import { readDuration } from "./duration.ts";
import type { ProcessGroup } from "./process-group.ts";
import { within } from "./within.ts";

/** How a process ended. */
export interface ExitStatus {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Which step ended the process. */
export type StopStep = "already exited" | "stdin closed" | "SIGTERM" | "SIGKILL";

export interface Ladder {
  readonly group: ProcessGroup;
  /** Resolves when the process itself has ended. */
  readonly exited: Promise<ExitStatus>;
  hasExited(): boolean;
  closeStdin(): void;
}

export interface StopTimes {
  /** How long the process may take to end by itself once its stdin is closed; default 2 000. */
  readonly closeGraceMs?: number;
  /** How long the process, and what it left behind, may take to end after SIGTERM; default 2 000. */
  readonly termGraceMs?: number;
}

/** What stopping a process took. */
export interface StopReport extends ExitStatus {
  readonly step: StopStep;
  /** What was needed to end the processes that outlived it; `"none"` when there were none. */
  readonly leftovers: "none" | "SIGTERM" | "SIGKILL";
  readonly durationMs: number;
  readonly stderrTail: string;
}

type Descent = Pick<StopReport, "step" | "leftovers">;

/** How long a kill may take to show: only a process stuck in the kernel needs more. */
const killGraceMs = 2_000;
const pollMs = 5;

/**
 * Climbs down until the process and its whole group are gone.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#shutdown
 */
export async function descendLadder(ladder: Ladder, times: StopTimes = {}): Promise<Descent> {
  const closeGraceMs = readDuration("closeGraceMs", times.closeGraceMs, 2_000);
  const termGraceMs = readDuration("termGraceMs", times.termGraceMs, 2_000);
  const step = await endProcess(ladder, closeGraceMs, termGraceMs);
  return { step, leftovers: await endLeftovers(ladder.group, termGraceMs) };
}

async function endProcess(
  ladder: Ladder,
  closeGraceMs: number,
  termGraceMs: number,
): Promise<StopStep> {
  if (ladder.hasExited()) return "already exited";
  ladder.closeStdin();
  if ((await within(ladder.exited, closeGraceMs)) !== undefined) return "stdin closed";
  ladder.group.signal("SIGTERM");
  if ((await within(ladder.exited, termGraceMs)) !== undefined) return "SIGTERM";
  ladder.group.signal("SIGKILL");
  await within(ladder.exited, killGraceMs);
  return "SIGKILL";
}

async function endLeftovers(
  group: ProcessGroup,
  termGraceMs: number,
): Promise<Descent["leftovers"]> {
  if (!(await group.isRunning())) return "none";
  group.signal("SIGTERM");
  if (await isGoneWithin(group, termGraceMs)) return "SIGTERM";
  group.signal("SIGKILL");
  await isGoneWithin(group, killGraceMs);
  return "SIGKILL";
}

/** Polls, for nobody is told when a process that is not a child of ours ends. */
async function isGoneWithin(group: ProcessGroup, ms: number): Promise<boolean> {
  for (const deadline = performance.now() + ms; performance.now() < deadline;) {
    if (!(await group.isRunning())) return true;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return !(await group.isRunning());
}
