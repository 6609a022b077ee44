/** Opens the doors that a configuration names, and says which tools stand behind them. */

import {
  hostNames,
  resolveLimits,
  resolveToolLimits,
  type GateTool,
  type ToolLimits,
} from "../gate/index.ts";
import { expectOneOf, isObject, UsageError } from "../protocol/index.ts";
import type { Crew } from "../sqlite/index.ts";
import type { Configuration, ConfigSettings } from "./configuration.ts";
import { doorDescription } from "./describe-config.ts";
import type { Settings } from "./description.ts";
import { DoorError, DoorFaults, type DoorKind, type OpenDoor } from "./door.ts";
import { doorKinds } from "./doors/doors.ts";
import { fits, type ConfigFault } from "./find-faults.ts";

export interface ServedTool {
  /** The name of its door. */
  readonly door: string;
  readonly kind: string;
  readonly tool: GateTool;
  readonly limits: Required<ToolLimits>;
}

export interface OpenedDoor {
  readonly name: string;
  readonly kind: string;
  readonly open: OpenDoor;
  readonly tools: readonly ServedTool[];
}

export interface OpenedDoors extends AsyncDisposable {
  readonly doors: readonly OpenedDoor[];
  readonly tools: readonly ServedTool[];
}

/**
 * Throws a `UsageError` with file, line and key for a door that cannot be opened, and for a name that no tool has; then those
 * that it opened are closed.
 *
 * @param kept doors that are open already, and are taken as they are
 * @param crew processes that have been started already, for the first door that needs such
 */
export async function openDoors(
  configuration: Configuration,
  kept: readonly OpenedDoor[] = [],
  crew?: Crew,
): Promise<OpenedDoors> {
  const { source, settings } = configuration;
  const doors: OpenedDoor[] = [];
  const opened: OpenedDoor[] = [];
  try {
    for (const [name, door] of Object.entries(settings.doors)) {
      const old = kept.find((each) => each.name === name);
      if (old !== undefined) {
        doors.push(old);
        continue;
      }
      const { kind, own, common } = splitSettings(door);
      const open = await openDoor(configuration, name, kind, own, crew);
      opened.push({ name, kind: kind.kind, open, tools: [] });
      const tools = chooseTools(configuration, name, kind.kind, open, common);
      doors.push({ name, kind: kind.kind, open, tools });
    }
    const tools = doors.flatMap((door) => door.tools);
    const faults = [
      ...findTwins(tools),
      ...findStrangers(settings, tools),
      ...(configuration.stateDir === undefined ? findWriters(tools) : []),
    ];
    if (faults.length > 0) throw source.refuse(faults);
    return { doors, tools, [Symbol.asyncDispose]: () => closeDoors(doors) };
  } catch (thrown) {
    await closeDoors(opened);
    throw thrown;
  }
}

/** Closes them, the last first. */
export async function closeDoors(doors: readonly OpenedDoor[]): Promise<void> {
  for (const { open } of doors.toReversed()) await open.close?.();
}

/** Whether a door of this name in the configuration may be opened anew while its server serves. */
export function canReload({ doors }: ConfigSettings, name: string): boolean {
  const kind = doors[name]?.["kind"];
  return doorKinds.find((each) => each.kind === kind)?.canReload === true;
}

/** Names the SQLite files behind the doors of a configuration, each once, and opens none. */
export function listDatabases({ settings, folder }: Configuration): readonly string[] {
  const files = Object.values(settings.doors).flatMap((door) => {
    const { kind, own } = splitSettings(door);
    return kind.listDatabases(own, { folder });
  });
  return [...new Set(files)];
}

const commonShape = {
  type: "object",
  properties: doorDescription,
  additionalProperties: false,
} as const;

type Common = Settings<typeof commonShape>;

interface SplitSettings {
  readonly kind: DoorKind;
  readonly own: Readonly<Record<string, unknown>>;
  readonly common: Common;
}

function splitSettings(door: Readonly<Record<string, unknown>>): SplitSettings {
  const { kind: name, tools, limits, ...own } = door;
  const kind = doorKinds.find((each) => each.kind === name);
  const common = { ...(tools !== undefined && { tools }), ...(limits !== undefined && { limits }) };
  if (kind === undefined || !fits(common, commonShape))
    throw new Error(`There is no such door as "${String(name)}"`); // the description lets none through
  return { kind, own, common };
}

async function openDoor(
  { source, folder }: Configuration,
  name: string,
  kind: DoorKind,
  own: unknown,
  crew: Crew | undefined,
): Promise<OpenDoor> {
  try {
    return await kind.open(own, { folder, crew });
  } catch (thrown) {
    if (thrown instanceof DoorFaults)
      throw source.refuse(
        thrown.faults.map((fault) => ({ ...fault, path: ["doors", name, ...fault.path] })),
      );
    if (!(thrown instanceof DoorError)) throw thrown;
    const path = ["doors", name, thrown.key];
    const text = `${source.locate(path)}: Cannot open the door "${name}" by "${path.join(".")}": ${thrown.message}`;
    const { cause, hint } = thrown;
    throw new UsageError("cannot-open-door", text, { cause, ...(hint !== undefined && { hint }) });
  }
}

function chooseTools(
  { source, settings }: Configuration,
  door: string,
  kind: string,
  open: OpenDoor,
  { tools: chosen, limits = {} }: Common,
): readonly ServedTool[] {
  const all = open.tools;
  const names = all.map(({ name }) => name);
  const path = ["doors", door];
  const faults: ConfigFault[] = [];
  for (const [index, name] of (chosen ?? []).entries())
    if (!names.includes(name))
      faults.push({
        path: [...path, "tools", index],
        what: `there is no tool "${name}", ${expectOneOf(name, names)}`,
      });
  for (const name of Object.keys(limits))
    if (!names.includes(name))
      faults.push({
        path: [...path, "limits", name],
        isKey: true,
        what: `there is no such tool, ${expectOneOf(name, names)}`,
      });
  for (const name of names)
    if (!hostNames.test(name))
      faults.push({
        path,
        what: `hosts refuse the name of its tool ${JSON.stringify(name)}, expected ${hostNames.source}`,
      });
  if (faults.length > 0) throw source.refuse(faults);
  const gate = resolveLimits(settings.limits);
  return all
    .filter(({ name }) => chosen === undefined || chosen.includes(name))
    .map((tool) => {
      const own = { ...tool.limits, ...limits[tool.name] };
      try {
        return {
          door,
          kind,
          tool: { ...tool, limits: own },
          limits: resolveToolLimits(tool.name, own, gate),
        };
      } catch (thrown) {
        if (!(thrown instanceof UsageError)) throw thrown;
        const place = limits[tool.name] === undefined ? open.placeOfLimits?.(tool.name) : undefined;
        const at = source.locate([...path, ...(place ?? ["limits", tool.name])]);
        throw new UsageError(thrown.code, `${at}: ${thrown.message}`, { cause: thrown });
      }
    });
}

function findTwins(tools: readonly ServedTool[]): readonly ConfigFault[] {
  const owners = new Map<string, string>();
  return tools.flatMap(({ tool: { name }, door }) => {
    const first = owners.get(name);
    owners.set(name, door);
    if (first === undefined) return [];
    return [
      {
        path: ["doors", door],
        isKey: true,
        what: `its tool "${name}" stands behind "${first}" too, expected one of this name; choose by "tools"`,
      },
    ];
  });
}

/** Finds the tools that need a state: a write is recorded before it is done. */
function findWriters(tools: readonly ServedTool[]): readonly ConfigFault[] {
  return tools
    .filter(({ tool }) => tool.risk === "write")
    .map(({ tool, door }) => ({
      path: ["doors", door],
      isKey: true,
      what: `its tool "${tool.name}" writes and this configuration keeps no state, expected a folder at "state"`,
    }));
}

/** Finds the names of tools and arguments that there are not: a rule for nothing protects nothing. */
function findStrangers(
  { conduct, principals = {}, secrets = {} }: ConfigSettings,
  tools: readonly ServedTool[],
): readonly ConfigFault[] {
  const names = tools.map(({ tool: { name } }) => name);
  const numbered = tools.flatMap(({ tool: { name, inputSchema } }) => {
    const { properties } = inputSchema;
    return Object.keys(isObject(properties) ? properties : {}).map(
      (argument) => `${name}.${argument}`,
    );
  });
  const faults: ConfigFault[] = [];
  const check = (path: readonly string[], list: readonly string[] = []): void => {
    for (const [index, name] of list.entries())
      if (!names.includes(name))
        faults.push({
          path: [...path, index],
          what: `there is no tool "${name}", ${expectOneOf(name, names)}`,
        });
  };
  const places = Object.entries(principals).map(
    ([name, own]) => [["principals", name, "conduct"], own.conduct] as const,
  );
  for (const [path, own] of [[["conduct"], conduct] as const, ...places]) {
    check([...path, "deniedTools"], own?.deniedTools);
    for (const name of Object.keys(own?.maxima ?? {}))
      if (!numbered.includes(name))
        faults.push({
          path: [...path, "maxima", name],
          isKey: true,
          what: `no tool has such an argument, ${expectOneOf(name, numbered)}`,
        });
  }
  for (const [name, own] of Object.entries(secrets)) check(["secrets", name, "tools"], own.tools);
  return faults;
}
