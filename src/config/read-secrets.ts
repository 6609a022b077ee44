/** Makes the secrets that a configuration names; none of their values is shown. */

import {
  Secrets,
  type Environment,
  type SecretDefinition,
  type SecretSource,
} from "../gate/index.ts";
import { UsageError } from "../protocol/index.ts";
import { resolve } from "node:path";
import type { Configuration, ConfigSettings } from "./configuration.ts";

type SecretSettings = NonNullable<ConfigSettings["secrets"]>[string];

/** Throws a `UsageError` with file and line for a secret that cannot be read now, or is too short to be kept out of texts. */
export function readSecrets(
  { source, settings, folder }: Configuration,
  environment: Environment,
): Secrets {
  const definitions: Record<string, SecretDefinition> = {};
  for (const [name, own] of Object.entries(settings.secrets ?? {})) {
    const definition = toDefinition(own, folder);
    try {
      definitions[name] = definition;
      void new Secrets({ [name]: definition }, { environment });
    } catch (thrown) {
      if (!(thrown instanceof UsageError)) throw thrown;
      const { code, message, hint } = thrown;
      const text = `${source.locate(["secrets", name])}: ${message}`;
      throw new UsageError(code, text, { cause: thrown, ...(hint !== undefined && { hint }) });
    }
  }
  return new Secrets(definitions, { environment });
}

function toDefinition(settings: SecretSettings, folder: string): SecretDefinition {
  const { tools, origins } = settings;
  return {
    source: toSource(settings, folder),
    ...(tools !== undefined && { tools }),
    ...(origins !== undefined && { origins }),
  };
}

/** Exactly one of the three is there: `configuration.ts` has seen to it. */
function toSource({ env, file, command = [] }: SecretSettings, folder: string): SecretSource {
  if (env !== undefined) return { from: "env", variable: env };
  if (file !== undefined) return { from: "file", path: resolve(folder, file) };
  const [program = "", ...args] = command;
  return { from: "command", command: [program, ...args] };
}
