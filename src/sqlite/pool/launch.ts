/** Starts a process of this room: with little room to do harm, and an environment of its own. */

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Program {
  readonly file: string;
  /** What the shell's `ulimit` takes, such as `-f 0`; nothing on Windows. */
  readonly limits: readonly string[];
}

const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";

/** CPU seconds that one reader may use in all: stops one that neither its parent nor its own watchdog could kill. */
export const readerCpuSeconds = 120;

export const readerProgram: Program = {
  file: fileURLToPath(new URL(`../reader/main.${extension}`, import.meta.url)),
  limits: ["-f 0", `-t ${readerCpuSeconds}`, "-d 2097152", "-c 0"],
};

export function launch({ file, limits }: Program, setup: object): ChildProcessWithoutNullStreams {
  const flags = [
    "--no-warnings",
    "--max-old-space-size=512",
    file,
    JSON.stringify({ parent: process.pid, ...setup }),
  ];
  const options = { env: environment(), windowsHide: true } as const;
  if (process.platform === "win32") return spawn(process.execPath, flags, options);
  const script = `${limits.map((limit) => `ulimit ${limit}; `).join("")}exec "$0" "$@"`;
  return spawn("/bin/sh", ["-c", script, process.execPath, ...flags], options);
}

/** Nothing of ours but the time zone, which `localtime` means, and what Windows needs to start a program. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    ["TZ", "SystemRoot"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
