/** The options of every command that works on a gate's state, and the folder they name. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";

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

/** Finds the state folder. Throws a `UsageError` for a configuration that cannot be read. */
export async function findStateDir({ config, state }: StateFlags): Promise<string> {
  if (state !== undefined) return resolve(state);
  if (config === undefined && !existsSync(defaultFile)) return resolve(".genkan");
  const { readConfiguration } = await import("../../config/index.ts");
  return readConfiguration(config ?? defaultFile).stateDir;
}
