/** Starts a process of this room: with little room to do harm, and an environment of its own. */

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Program {
  readonly file: string;
  /** What the shell's `ulimit` takes, such as `-f 0`; Windows has no such thing. */
  readonly limits: readonly string[];
}

const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
const toProgram = (name: string, limits: readonly string[]): Program => ({
  file: fileURLToPath(new URL(`../${name}.${extension}`, import.meta.url)),
  limits,
});

/** CPU seconds that one reader may use in all: stops one that neither its parent nor its own watchdog could kill. */
export const readerCpuSeconds = 120;

/** No byte goes into a file, and no core is dumped; two GiB of memory are what Node itself needs to start. */
export const readerProgram = toProgram("reader/main", [
  "-f 0",
  "-c 0",
  "-d 2097152",
  `-t ${readerCpuSeconds}`,
]);

export const scoutProgram = toProgram("scout/main", ["-c 0"]);

/** Starts it. What goes wrong is told by its events. */
export function launch({ file, limits }: Program, setup: object): ChildProcessWithoutNullStreams {
  const isWindows = process.platform === "win32";
  const args = [...flags, file, JSON.stringify({ parent: process.pid, ...setup })];
  const options = { env: makeEnvironment(), windowsHide: true, ...(!isWindows && { cwd: "/" }) };
  if (isWindows) return spawn(process.execPath, args, options);
  const script = `${limits.map((limit) => `ulimit ${limit}; `).join("")}exec "$0" "$@"`;
  return spawn("/bin/sh", ["-c", script, process.execPath, ...args], options);
}

const flags = ["--no-warnings", "--max-old-space-size=512"];

/** Nothing of ours but the time zone, which `localtime` means, and what Windows needs to start a program. */
function makeEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    ["TZ", "SystemRoot"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
