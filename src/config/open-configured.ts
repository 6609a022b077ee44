/** Opens the server that a configuration describes: its gate, and the tools of its doors behind it. */

import {
  createFeatures,
  openGate,
  resolveLimits,
  type Environment,
  type Gate,
  type GateOptions,
} from "../gate/index.ts";
import { createServer, type Server } from "../server/index.ts";
import type { Crew } from "../sqlite/index.ts";
import type { Configuration } from "./configuration.ts";
import { LiveDoors } from "./live-doors.ts";
import { openDoors } from "./open-doors.ts";
import { readSecrets } from "./read-secrets.ts";
import type { Running } from "./reload.ts";
import { watchFile } from "./watch-file.ts";

export interface ConfiguredOptions {
  readonly environment: Environment;
  /** Takes what the person who runs the server should know. */
  readonly report: (text: string) => void;
  /** Who calls; default: what the configuration says. */
  readonly principal?: GateOptions["principal"];
  /** Whether an edit of the file is looked for, and what can be taken up of it is. Default: no. */
  readonly watch?: boolean;
  /** Whether no SQLite file may come in by an edit: somebody vouches for those that there are. Default: no. */
  readonly fixedDatabases?: boolean;
  /** Processes that have been started already, for the first door that needs such; those that none needs are ended. */
  readonly crew?: Crew | undefined;
}

export interface Configured {
  /** Closes the gate and the doors when it is disposed of. */
  readonly server: Server;
  readonly gate: Gate;
}

/**
 * Throws a `UsageError` for what cannot be served, and a `StateError` for a state that cannot be used; then nothing stays open.
 */
export async function openConfigured(
  configuration: Configuration,
  options: ConfiguredOptions,
): Promise<Configured> {
  const { environment, report, principal, watch = false, fixedDatabases = false, crew } = options;
  const { settings, stateDir } = configuration;
  const {
    name,
    version = "1.0.0",
    instructions,
    limits,
    conduct,
    principals,
    approval,
    telemetry,
    readsWithoutState,
  } = settings;
  await using opening = new AsyncDisposableStack();
  const { doors: opened } = await openDoors(configuration, [], crew);
  await crew?.[Symbol.asyncDispose]();
  const restMs = resolveLimits(limits).queueWaitMs + graceMs;
  const doors = opening.use(new LiveDoors(opened, restMs, report));
  const secrets = readSecrets(configuration, environment);
  await secrets.load();
  const gate = opening.use(
    openGate({
      stateDir,
      report,
      principal: principal ?? settings.principal ?? "local",
      features: createFeatures({
        stateDir,
        secrets,
        onTrouble: (error) => report(error.message),
        ...(settings.audit !== undefined && { auditLimits: settings.audit }),
        ...(settings.traces !== undefined && { traceLimits: settings.traces }),
      }),
      ...(limits !== undefined && { limits }),
      ...(conduct !== undefined && { conduct }),
      ...(principals !== undefined && { principals }),
      ...(approval !== undefined && { approval }),
      ...(telemetry !== undefined && { telemetry }),
      ...(readsWithoutState !== undefined && { readsWithoutState }),
    }),
  );
  await gate.ready();
  const server = createServer({
    name,
    version,
    report,
    ...(instructions !== undefined && { instructions }),
  });
  for (const { name: door, tools } of opened)
    gate.addTo(
      server,
      tools.map(({ tool }) => tool),
      door,
    );
  if (watch)
    opening.use(followEdits({ configuration, doors, server, gate, report, fixedDatabases }));
  const closing = opening.move();
  server.onClose(() => closing.disposeAsync());
  return { server, gate };
}

/** How much longer than a call may wait for its turn a door stays open that was replaced: for what comes between the two. */
const graceMs = 1_000;

/** Takes up one edit after the other. */
function followEdits(start: Running): Disposable {
  let { configuration } = start;
  let current: Promise<void> = Promise.resolve();
  let isNext = false;
  return watchFile(configuration.source.name, () => {
    if (isNext) return;
    isNext = true;
    current = current.then(async () => {
      isNext = false;
      const { reload } = await import("./reload.ts");
      configuration = await reload({ ...start, configuration });
    });
  });
}
