/** Starts a process of this room: with little room to do harm, and an environment of its own. */

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { locateProgram } from "../locate-program.ts";
import { QueryError } from "../query-error.ts";
import { layers as allLayers, type Layer } from "../reader/layers.ts";
import type { ReaderSetup } from "../reader/request.ts";
import type { ScoutSetup } from "../scout/request.ts";

/** @param layers every layer; a test takes some away */
export function launchReader(
  setup: Omit<ReaderSetup, "parent">,
  layers: readonly Layer[] = allLayers,
): ChildProcessWithoutNullStreams {
  return launch({
    file: locateProgram("reader"),
    setup,
    ulimits: layers.flatMap(({ ulimits = [] }) => ulimits),
    flags: [
      ...layers.flatMap(({ flags = [] }) => flags),
      `--allow-fs-write=${setup.folder}`, // to remove it; without --permission it says nothing
      `--allow-fs-write=${join(setup.folder, "*")}`,
    ],
  });
}

export function launchScout(setup: Omit<ScoutSetup, "parent">): ChildProcessWithoutNullStreams {
  return launch({ file: locateProgram("scout"), setup, ulimits: ["-c 0"], flags: [] });
}

interface Program {
  readonly file: string;
  readonly setup: object;
  readonly ulimits: readonly string[];
  readonly flags: readonly string[];
}

/** Starts it. What goes wrong later is told by its events. Throws a `QueryError`. */
function launch({ file, setup, ulimits, flags }: Program): ChildProcessWithoutNullStreams {
  const child = start({ file, setup, ulimits, flags });
  // Without a descriptor to spare there are no streams, whatever the types say.
  if ("stdin" in child && child.stdin !== undefined) return child;
  child.on("error", () => {}); // what it says is said here
  throw new QueryError("reader-died", "There are too many files open to start a reader", {
    retryAfterMs: 1_000,
  });
}

function start({ file, setup, ulimits, flags }: Program): ChildProcessWithoutNullStreams {
  const isWindows = process.platform === "win32";
  const told = JSON.stringify({ parent: process.pid, ...setup });
  const args = [...flags, ...quiet, file, told];
  const options = { env: makeEnvironment(), windowsHide: true, ...(!isWindows && { cwd: "/" }) };
  if (isWindows || !existsSync(shell)) return spawn(process.execPath, args, options);
  const script = `${ulimits.map((limit) => `ulimit ${limit}; `).join("")}exec "$0" "$@"`;
  return spawn(shell, ["-c", script, process.execPath, ...args], options);
}

/** Some containers have none: then the limits of the system are missing, and the other layers hold. */
const shell = "/bin/sh";

/** V8 starts sooner with one thread of its own, and keeps less memory with a small nursery: replies are small. */
const quiet = ["--no-warnings", "--v8-pool-size=1", "--max-semi-space-size=1"];

/** Nothing of ours but the time zone, which `localtime` means, and what Windows needs to start a program. */
function makeEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    ["TZ", "SystemRoot"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
