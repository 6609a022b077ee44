/** Reads `genkan.yaml`: everything that can be known without opening a door. */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expectOneOf, UsageError } from "../protocol/index.ts";
import { configDescription } from "./describe-config.ts";
import type { Settings } from "./description.ts";
import { findFaults, fits, type ConfigFault } from "./find-faults.ts";
import { parseSource, type Source } from "./source.ts";

export interface Configuration {
  readonly source: Source;
  readonly settings: ConfigSettings;
  /** The folder of the file, which paths in it count from. */
  readonly folder: string;
  /** The folder of the state, from the root; `undefined` where none is kept. */
  readonly stateDir: string | undefined;
}

export type ConfigSettings = Settings<typeof configDescription>;

/** What stands in the place of a folder where nothing is to be recorded. */
const noState = "none";

export const defaultConfigFile = "genkan.yaml";

/** The longest file: stops a wrong path from filling the memory. */
const maxBytes = 1_048_576;

/**
 * Throws a `UsageError` that names file, line and key for everything that cannot be.
 *
 * @param command the command that asks for it, for the hint
 */
export function readConfiguration(
  file: string,
  command: "check" | "serve" = "check",
): Configuration {
  const path = resolve(file);
  const source = parseSource(readText(file, path, command), file);
  const { value } = source;
  if (!fits(value, configDescription)) throw source.refuse(findFaults(value, configDescription));
  const faults = findSettingFaults(value);
  if (faults.length > 0) throw source.refuse(faults);
  const folder = dirname(path);
  const { state = ".genkan" } = value;
  const stateDir = state === noState ? undefined : resolve(folder, state);
  return { source, settings: value, folder, stateDir };
}

function readText(file: string, path: string, command: string): string {
  try {
    const text = readFileSync(path, "utf8");
    if (text.length <= maxBytes) return text;
  } catch (cause) {
    const near = [
      file.replace(/\.yaml$/, ".yml"),
      file.replace(/\.yml$/, ".yaml"),
      join(file, defaultConfigFile),
      join(file, "genkan.yml"),
    ].find((other) => other !== file && existsSync(other));
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    const what = reasons.get(code) ?? "it cannot be read";
    throw new UsageError("no-config", `Cannot read "${file}": ${what}, expected a configuration`, {
      cause,
      hint: near === undefined ? `genkan ${command} path/to/genkan.yaml` : `did you mean ${near}?`,
    });
  }
  throw new UsageError(
    "no-config",
    `Cannot read "${file}": it is longer than ${maxBytes} bytes, expected a configuration`,
  );
}

const reasons = new Map<unknown, string>([
  ["ENOENT", "there is no such file"],
  ["EISDIR", "it is a directory"],
]);

/** What no description of single values can say. */
function findSettingFaults({
  secrets = {},
  conduct,
  principal = "local",
  principals = {},
  approval,
  doors,
}: ConfigSettings): readonly ConfigFault[] {
  const faults: ConfigFault[] = [];
  const checkSource = (
    path: readonly string[],
    sources: readonly (readonly [string, unknown])[],
  ): void => {
    const named = sources.filter(([, value]) => value !== undefined).map(([name]) => name);
    const all = sources.map(([name]) => name).join(", ");
    if (named.length !== 1)
      faults.push({
        path,
        what: `it names ${named.length === 0 ? "no source" : named.join(" and ")}, expected one of ${all}`,
      });
  };
  for (const [name, { env, file, command }] of Object.entries(secrets))
    checkSource(["secrets", name], Object.entries({ env, file, command }));
  for (const [name, { token }] of Object.entries(principals))
    if (token !== undefined)
      checkSource(
        ["principals", name, "token"],
        Object.entries({ env: token.env, file: token.file }),
      );
  const places = Object.entries(principals).map(
    ([name, own]) => [["principals", name, "conduct"], own.conduct] as const,
  );
  for (const [path, own] of [[["conduct"], conduct] as const, ...places]) {
    for (const [index, origin] of (own?.origins ?? []).entries())
      if (!isOrigin(origin))
        faults.push({
          path: [...path, "origins", index],
          what: `it is "${origin}", expected an origin such as https://shop.example`,
        });
  }
  const known = [principal, ...Object.keys(principals)];
  for (const [index, name] of (approval?.trustedClients ?? []).entries())
    if (!known.includes(name))
      faults.push({
        path: ["approval", "trustedClients", index],
        what: `there is no principal "${name}", ${expectOneOf(name, known)}`,
      });
  if (Object.keys(doors).length === 0)
    faults.push({ path: ["doors"], what: "there is none, expected at least one door" });
  return faults;
}

/** Is true for a scheme, a host and perhaps a port, written as browsers write them. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
