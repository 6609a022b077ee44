/** A child process together with everything it has started: signalled as one, and killed with this process. */

import type { ChildProcess } from "node:child_process";

export interface ProcessGroup {
  /** The id of the group, and of the child that leads it. */
  readonly pid: number;
  /** Sends the signal to every process of the group; nothing happens where none is left. */
  signal(signal: "SIGTERM" | "SIGKILL"): void;
  /** Resolves to true while any process of the group runs. On Windows only the child itself can be told. */
  isRunning(): Promise<boolean>;
  /** Ends the promise to kill the group when this process exits. */
  release(): void;
}

/**
 * Takes a child that was started with `detached: true` on POSIX, and kills its group should this process exit first.
 *
 * Throws a `RangeError` for a child without an id: a signal to the group 0 would reach this process, one to 1 every process.
 */
export function guardProcessGroup(child: Child): ProcessGroup {
  const { pid } = child;
  if (pid === undefined || !(pid > 1))
    throw new RangeError(`Cannot guard the process: its id is ${pid}, expected one above 1`);
  const isWindows = process.platform === "win32";
  const group: ProcessGroup = {
    pid,
    signal: (signal) => {
      if (isWindows) child.kill(signal);
      else trySignal(-pid, signal);
    },
    isRunning: async () => {
      if (isWindows) return child.exitCode === null && child.signalCode === null;
      return trySignal(-pid, 0) && (await hasRunningMember(pid));
    },
    release: () => {
      guarded.delete(group);
      if (guarded.size === 0) process.off("exit", killAll);
    },
  };
  if (guarded.size === 0) process.on("exit", killAll);
  guarded.add(group);
  return group;
}

/** What is needed of a child. */
type Child = Pick<ChildProcess, "pid" | "exitCode" | "signalCode" | "kill">;

const guarded = new Set<ProcessGroup>();

function killAll(): void {
  for (const group of guarded) group.signal("SIGKILL");
}

function trySignal(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false; // ESRCH: nobody is left; EPERM: what is left is not ours any more
  }
}

/**
 * Looks past the zombies of a group: a dead orphan takes signals until process 1 collects it, which in a container may be never.
 *
 * Without a Linux `/proc` every member counts as running.
 */
async function hasRunningMember(groupId: number): Promise<boolean> {
  const { readdir, readFile } = await import("node:fs/promises");
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return true;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => ""); // it has ended meanwhile
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (group === String(groupId) && state !== "Z" && state !== "X") return true;
  }
  return false;
}
