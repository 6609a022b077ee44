/** Says what a configuration comes to: which tools, at which risk, within which limits, and what may be written where. */

import {
  resolveLimits,
  type Conduct,
  type GateLimits,
  type Risk,
  type ToolLimits,
} from "../gate/index.ts";
import type { Configuration, ConfigSettings } from "./configuration.ts";
import type { DoorFact } from "./door.ts";
import type { OpenedDoors } from "./open-doors.ts";

export interface Explanation {
  readonly file: string;
  readonly name: string;
  readonly version: string;
  /** Null where none is kept. */
  readonly state: string | null;
  readonly readsWithoutState: boolean;
  readonly principal: string;
  /** The principals whose clients may ask a person to allow a write. */
  readonly trustedClients: readonly string[];
  readonly telemetry: boolean;
  /** The doors that say something of themselves. */
  readonly doors: readonly ExplainedDoor[];
  readonly tools: readonly ExplainedTool[];
  /** All of them, with the defaults. */
  readonly limits: GateLimits;
  /** The names of those that the file sets. */
  readonly ownLimits: readonly string[];
  readonly conduct: Conduct;
  /** What holds for single principals; of a token it says where it is. */
  readonly principals: NonNullable<ConfigSettings["principals"]>;
  readonly secrets: readonly ExplainedSecret[];
}

export interface ExplainedDoor {
  readonly name: string;
  readonly kind: string;
  readonly facts: readonly DoorFact[];
}

export interface ExplainedTool {
  readonly door: string;
  readonly kind: string;
  readonly name: string;
  readonly risk: Risk;
  readonly limits: Required<ToolLimits>;
  /** Whether conduct refuses it to everybody. */
  readonly isDenied: boolean;
  /** What conduct bounds beside the tool's own schema, by argument. */
  readonly maxima: Readonly<Record<string, number>>;
  /** The names of the secrets it may resolve. */
  readonly secrets: readonly string[];
}

export interface ExplainedSecret {
  readonly name: string;
  readonly from: "env" | "file" | "command";
  readonly tools: readonly string[] | undefined;
  readonly origins: readonly string[] | undefined;
}

export function explainConfiguration(
  { source, settings, stateDir }: Configuration,
  { doors, tools }: OpenedDoors,
): Explanation {
  const { conduct = {}, limits, secrets = {} } = settings;
  const known = Object.entries(secrets).map(([name, own]): ExplainedSecret => ({
    name,
    from: own.env === undefined ? (own.file === undefined ? "command" : "file") : "env",
    tools: own.tools,
    origins: own.origins,
  }));
  return {
    file: source.name,
    name: settings.name,
    version: settings.version ?? "1.0.0",
    state: stateDir ?? null,
    readsWithoutState: settings.readsWithoutState ?? false,
    principal: settings.principal ?? "local",
    trustedClients: settings.approval?.trustedClients ?? [],
    telemetry: settings.telemetry ?? false,
    doors: doors.flatMap(({ name, kind, open: { facts = [] } }) =>
      facts.length === 0 ? [] : [{ name, kind, facts }],
    ),
    tools: tools.map(({ door, kind, tool: { name, risk }, limits: own }) => ({
      door,
      kind,
      name,
      risk,
      limits: own,
      isDenied: conduct.deniedTools?.includes(name) ?? false,
      maxima: Object.fromEntries(
        Object.entries(conduct.maxima ?? {}).flatMap(([key, most]) =>
          key.startsWith(`${name}.`) ? [[key.slice(name.length + 1), most]] : [],
        ),
      ),
      secrets: known
        .filter((secret) => secret.tools?.includes(name) ?? true)
        .map((secret) => secret.name),
    })),
    limits: resolveLimits(limits),
    ownLimits: Object.keys(limits ?? {}),
    conduct,
    principals: settings.principals ?? {},
    secrets: known,
  };
}
