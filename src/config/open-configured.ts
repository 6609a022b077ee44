/** Opens the server that a configuration describes: its gate, and the tools of its doors behind it. */

import {
  createFeatures,
  openGate,
  type Environment,
  type Gate,
  type GateOptions,
} from "../gate/index.ts";
import { createServer, type Server } from "../server/index.ts";
import type { Configuration } from "./configuration.ts";
import { openDoors } from "./open-doors.ts";
import { readSecrets } from "./read-secrets.ts";

export interface ConfiguredOptions {
  readonly environment: Environment;
  /** Takes what the person who runs the server should know. */
  readonly report: (text: string) => void;
  /** Who calls; default: what the configuration says. */
  readonly principal?: GateOptions["principal"];
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
  { environment, report, principal }: ConfiguredOptions,
): Promise<Configured> {
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
  const doors = opening.use(await openDoors(configuration));
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
  for (const door of new Set(doors.tools.map((each) => each.door)))
    gate.addTo(
      server,
      doors.tools.filter((each) => each.door === door).map(({ tool }) => tool),
      door,
    );
  const opened = opening.move();
  server.onClose(() => opened.disposeAsync());
  return { server, gate };
}
