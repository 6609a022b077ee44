/** The options of every command that works on a gate's state, and the folder they name. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { UsageError } from "../../protocol/index.ts";

export interface StateFlags {
  readonly config?: string;
  readonly state?: string;
}

export const defaultFile = "genkan.yaml";

export function addStateFlags(command: Command): Command {
  return command
    .option(
      "--config <file>",
      `the configuration that names the state folder (default: ${defaultFile}, if it is here)`,
    )
    .option(
      "--state <folder>",
      "the state folder itself (default without a configuration: .genkan)",
    );
}

/** Finds the configuration: the one that is named, or the one that is here when no state folder is named. */
export function findConfig({ config, state }: StateFlags): string | undefined {
  if (config !== undefined) return config;
  return state === undefined && existsSync(defaultFile) ? defaultFile : undefined;
}

/** Finds the state folder. Throws a `UsageError` for a configuration that cannot be read, and for one that keeps no state. */
export async function findStateDir(flags: StateFlags): Promise<string> {
  if (flags.state !== undefined) return resolve(flags.state);
  const config = findConfig(flags);
  if (config === undefined) return resolve(".genkan");
  const { readConfiguration } = await import("../../config/index.ts");
  const { stateDir } = readConfiguration(config);
  if (stateDir === undefined) throw keepsNoState(config);
  return stateDir;
}

/** Makes the error for a configuration with `state: none`. */
export function keepsNoState(config: string): UsageError {
  const what = `Cannot find the state of "${config}": this configuration keeps no state (state: none), expected one that does`;
  return new UsageError("no-state", what, { hint: `state: .genkan in ${config}` });
}
