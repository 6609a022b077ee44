/** Reads the configuration of a server that serves once more, and puts what its doors have now in the place of what they had. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Gate } from "../gate/index.ts";
import { describeThrown, UsageError } from "../protocol/index.ts";
import type { Server } from "../server/index.ts";
import { readConfiguration, type Configuration, type ConfigSettings } from "./configuration.ts";
import type { LiveDoors } from "./live-doors.ts";
import {
  canReload,
  listDatabases,
  closeDoors,
  openDoors,
  type OpenedDoor,
  type ServedTool,
} from "./open-doors.ts";

export interface Running {
  /** What is in force: a change that needs a restart is not. */
  readonly configuration: Configuration;
  readonly doors: LiveDoors;
  readonly server: Server;
  readonly gate: Gate;
  readonly report: (text: string) => void;
  /** Whether no SQLite file may come in that was not there at the start. */
  readonly fixedDatabases: boolean;
}

/**
 * Gives the configuration that is in force then; it says what has come of it. Whatever is wrong with the file, the tools stay
 * as they were: a server that serves does not end by an edit.
 */
export async function reload(running: Running): Promise<Configuration> {
  const { configuration, report } = running;
  const { name } = configuration.source;
  try {
    const next = await readWhenThere(name);
    if (next.source.text === configuration.source.text || running.doors.isClosed)
      return configuration;
    return await apply(running, next);
  } catch (thrown) {
    const why = thrown instanceof UsageError ? thrown.message : describeThrown(thrown);
    report(`Cannot reload ${name}, so all tools stay as they were:\n${why}`);
    return configuration;
  }
}

/** An editor takes the file away for a moment when it puts another in its place: so often it is looked for, and then it is gone. */
const attempts = 5;
const pauseMs = 100;

async function readWhenThere(name: string): Promise<Configuration> {
  for (let attempt = 1; ; attempt++) {
    try {
      return readConfiguration(name);
    } catch (thrown) {
      if (!(thrown instanceof UsageError) || thrown.code !== "no-config" || attempt === attempts)
        throw thrown;
      await sleep(pauseMs);
    }
  }
}

async function apply(running: Running, next: Configuration): Promise<Configuration> {
  const { configuration, doors, server, gate, report } = running;
  const { name } = next.source;
  const stale = findStale(configuration.settings, next.settings);
  const effective = {
    ...next,
    settings: { ...next.settings, doors: mergeDoors(configuration.settings, next.settings) },
  };
  const unchanged = doors.doors.filter((door) =>
    isSame(configuration.settings.doors[door.name], effective.settings.doors[door.name]),
  );
  if (running.fixedDatabases) refuseNewDatabases(configuration, effective);
  const opened = await openDoors(effective, unchanged);
  const come = opened.doors.filter((door) => !unchanged.includes(door));
  const gone = doors.doors
    .filter((door) => !unchanged.includes(door))
    .flatMap(({ tools }) => tools);
  if (doors.isClosed) {
    await closeDoors(come);
    return configuration;
  }
  try {
    const names = gone.map(({ tool }) => tool.name);
    gate.replaceIn(
      server,
      names,
      come.map((door) => ({ door: door.name, tools: door.tools.map(({ tool }) => tool) })),
    );
  } catch (thrown) {
    await closeDoors(come);
    throw thrown;
  }
  doors.replace(opened.doors);
  const changes = describeChanges(gone, come);
  if (changes !== "") report(`Reloaded ${name}: ${changes}`);
  if (stale.length > 0)
    report(
      `${name} has changed where it needs a restart, and until then is as it was: ${stale.join(", ")}`,
    );
  return {
    ...configuration,
    source: next.source,
    settings: { ...configuration.settings, doors: effective.settings.doors },
  };
}

/** A receipt says of each file that nobody wrote it: it was begun before the server, with these. */
function refuseNewDatabases(old: Configuration, next: Configuration): void {
  const known = listDatabases(old);
  const stranger = listDatabases(next).find((path) => !known.includes(path));
  if (stranger === undefined) return;
  const what = `Cannot open "${stranger}": the receipt of this server does not know it, expected a restart`;
  throw new UsageError("unknown-database", what);
}

/** Names what has changed and cannot be changed while the server serves. */
function findStale(old: ConfigSettings, next: ConfigSettings): readonly string[] {
  const before = new Map<string, unknown>(Object.entries({ ...old, doors: undefined }));
  const after = new Map<string, unknown>(Object.entries({ ...next, doors: undefined }));
  const names = new Set([...before.keys(), ...after.keys()]);
  const doorNames = new Set([...Object.keys(old.doors), ...Object.keys(next.doors)]);
  return [
    ...[...names].filter((name) => !isSame(before.get(name), after.get(name))),
    ...[...doorNames]
      .filter((name) => !isSame(old.doors[name], next.doors[name]) && !mayChange(old, next, name))
      .map((name) => `doors.${name}`),
  ];
}

/** What each door is from now on: where it may not change, as it was. */
function mergeDoors(old: ConfigSettings, next: ConfigSettings): ConfigSettings["doors"] {
  const kept = Object.entries(old.doors).filter(([name]) => !mayChange(old, next, name));
  const changed = Object.entries(next.doors).filter(([name]) => mayChange(old, next, name));
  return Object.fromEntries([...kept, ...changed]);
}

/** Whether a door may come, go or change: of whatever kind it is and was. */
function mayChange(old: ConfigSettings, next: ConfigSettings, name: string): boolean {
  return [old, next].every(
    (settings) => !Object.hasOwn(settings.doors, name) || canReload(settings, name),
  );
}

function describeChanges(gone: readonly ServedTool[], come: readonly OpenedDoor[]): string {
  const before = new Map(gone.map(({ tool }) => [tool.name, JSON.stringify(tool)]));
  const after = new Map(
    come.flatMap(({ tools }) => tools).map(({ tool }) => [tool.name, JSON.stringify(tool)]),
  );
  const list = (names: readonly string[], what: string): readonly string[] =>
    names.length === 0 ? [] : [`${what} ${names.join(", ")}`];
  const stay = [...after.keys()].filter((name) => before.has(name));
  return [
    ...list(stay, "anew"),
    ...list(
      [...after.keys()].filter((name) => !before.has(name)),
      "new",
    ),
    ...list(
      [...before.keys()].filter((name) => !after.has(name)),
      "gone",
    ),
  ].join("; ");
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
