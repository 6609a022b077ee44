/** What a connection sets out to agree on, and how long it may take. */

import {
  findRevision,
  MetaKey,
  UsageError,
  versionsOf,
  type ClientCapabilities,
  type Implementation,
  type JsonObject,
  type Revision,
} from "../protocol/index.ts";
import { readDuration, type StopTimes } from "../transport/index.ts";
import { capabilitiesOf } from "./handlers.ts";
import { defaultPatienceMs } from "./oauth/auth.ts";
import type { ConnectOptions, ConnectTarget } from "./options.ts";

const defaultTimes = {
  startTimeoutMs: 30_000,
  probeTimeoutMs: 3_000,
  timeoutMs: 60_000,
  handlerTimeoutMs: 600_000,
  closeGraceMs: 2_000,
  termGraceMs: 2_000,
};

/** Who connects, unless the application says who it is. */
export const genkan: Implementation = { name: "genkan", version: "0.1.0" };

export interface Plan {
  readonly era: "auto" | "handshake" | "stateless";
  /** The one revision to agree on; absent for any. */
  readonly revision: Revision | undefined;
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  /** How long `server/discover` may be silent before `initialize` is sent as well. */
  readonly probeTimeoutMs: number;
  /** How long one call may take that does not say it itself. */
  readonly timeoutMs: number;
  /** How long the handlers may take to answer one question. */
  readonly handlerTimeoutMs: number;
  readonly stopTimes: StopTimes;
  /** When it began, by the clock of `performance.now()`. */
  readonly startedAt: number;
  /** When all of it must be done, by the clock of `performance.now()`. */
  readonly deadline: number;
}

/** Throws a `UsageError` for options that contradict each other, and for a time that is none. */
export function createPlan(target: ConnectTarget, options: ConnectOptions): Plan {
  const defaults = { ...defaultTimes, ...patienceFor(target) };
  const { handlers = {}, clientInfo = genkan, capabilities } = options;
  const revision = options.revision === undefined ? undefined : findRevision(options.revision);
  if (options.revision !== undefined && revision === undefined) {
    throw new UsageError(
      "unknown-revision",
      `Cannot speak "${options.revision}": it is no revision of MCP, expected one of ${versionsOf().join(", ")}`,
    );
  }
  const { era = revision?.era ?? "auto" } = options;
  if (revision !== undefined && era !== "auto" && era !== revision.era) {
    throw new UsageError(
      "contradiction",
      `Cannot speak "${revision.version}" in the ${era} era: it belongs to the other one, expected era "${revision.era}"`,
    );
  }
  const read = (name: keyof typeof defaults): number =>
    readDuration(name, options[name], defaults[name]);
  const startedAt = performance.now();
  return {
    era: revision?.era ?? era,
    revision,
    clientInfo,
    capabilities: { ...capabilities, ...capabilitiesOf(handlers) },
    probeTimeoutMs: read("probeTimeoutMs"),
    timeoutMs: read("timeoutMs"),
    handlerTimeoutMs: read("handlerTimeoutMs"),
    stopTimes: { closeGraceMs: read("closeGraceMs"), termGraceMs: read("termGraceMs") },
    startedAt,
    deadline: startedAt + read("startTimeoutMs"),
  };
}

/** Gives the versions of an era that this side speaks, the preferred first. */
export function spokenVersions({ revision, ...plan }: Plan, era = plan.era): readonly string[] {
  return revision === undefined ? versionsOf(era === "auto" ? undefined : era) : [revision.version];
}

/** Gives what a stateless request says of its caller. */
export function createMeta(
  revision: Revision,
  { clientInfo, capabilities }: Pick<Plan, "clientInfo" | "capabilities">,
): JsonObject {
  return {
    [MetaKey.protocolVersion]: revision.version,
    [MetaKey.clientInfo]: clientInfo,
    [MetaKey.clientCapabilities]: capabilities,
  };
}

/** A person who logs in while connecting takes longer than any server. */
function patienceFor(target: ConnectTarget): Partial<typeof defaultTimes> {
  const auth = "url" in target ? target.auth : undefined;
  if (auth === undefined || !("interactive" in auth)) return {};
  const { timeoutMs } = auth.interactive;
  const patienceMs = readDuration("auth.interactive.timeoutMs", timeoutMs, defaultPatienceMs);
  return { startTimeoutMs: defaultTimes.startTimeoutMs + patienceMs, probeTimeoutMs: patienceMs };
}
