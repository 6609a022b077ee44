/** Keeps the driver and what it measures on two different CPUs, where `taskset` can. */

import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

const driverCpu = "1";
const subjectCpu = "0";

/** Whether this machine has two CPUs and the means to choose between them. */
export const canPin =
  availableParallelism() > 1 &&
  [driverCpu, subjectCpu].every((cpu) => spawnSync("taskset", ["-c", cpu, "true"]).status === 0);

/** Puts this process, and what it starts without a CPU of its own, on one CPU or on all. */
export function placeDriver(where: "one CPU" | "all CPUs"): void {
  if (!canPin) return;
  const cpus = where === "one CPU" ? driverCpu : `0-${availableParallelism() - 1}`;
  spawnSync("taskset", ["-acp", cpus, String(process.pid)]);
}

/** The command that runs a program of Node on the CPU of the subject, or on the other one. */
export function nodeCommand(
  where: "subject CPU" | "driver CPU" | "anywhere",
  ...args: readonly string[]
): readonly [command: string, ...args: string[]] {
  return placeCommand(where, [process.execPath, ...args]);
}

/** The same for any program. */
export function placeCommand(
  where: "subject CPU" | "driver CPU" | "anywhere",
  command: readonly [command: string, ...args: string[]],
): readonly [command: string, ...args: string[]] {
  if (!canPin || where === "anywhere") return command;
  const cpu = where === "subject CPU" ? subjectCpu : driverCpu;
  return ["taskset", "-c", cpu, ...command];
}
