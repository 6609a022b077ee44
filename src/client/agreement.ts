/** What two sides agree on, and the words for why they do not. */

import {
  describeValue,
  findRevision,
  isImplementation,
  isObject,
  MetaKey,
  toPrintable,
  versionsOf,
  type ClientCapabilities,
  type Implementation,
  type JsonObject,
  type Revision,
  type ServerCapabilities,
} from "../protocol/index.ts";
import type { Failure } from "./client-error.ts";
import type { Connection } from "./connection.ts";

export interface Plan {
  readonly era: "auto" | "handshake" | "stateless";
  /** The one revision to agree on; absent for any. */
  readonly revision: Revision | undefined;
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  /** How long `server/discover` may be silent before `initialize` is sent as well. */
  readonly probeTimeoutMs: number;
  /** When all of it must be done, by the clock of `performance.now()`. */
  readonly deadline: number;
}

export interface Agreement {
  readonly revision: Revision;
  readonly serverInfo: Implementation | undefined;
  readonly serverCapabilities: ServerCapabilities;
  readonly instructions: string | undefined;
}

export type Outcome =
  | { readonly kind: "agreed"; readonly agreement: Agreement }
  | { readonly kind: "failed"; readonly failure: Failure };

/** Takes what is there: a client can work without a server's name, and can ask for what was not declared. */
export function readAgreement(
  revision: Revision,
  result: JsonObject,
  serverInfo: unknown,
  connection: Connection,
): Agreement {
  const { capabilities, instructions } = result;
  const { observations } = connection;
  if (!isImplementation(serverInfo) && (revision.era === "handshake" || serverInfo !== undefined)) {
    observations.remark(
      `"serverInfo" is ${describeValue(serverInfo)}, expected an object with "name" and "version"`,
    );
  }
  if (!isServerCapabilities(capabilities)) {
    observations.remark(`"capabilities" is ${describeValue(capabilities)}, expected an object`);
  }
  return {
    revision,
    serverInfo: isImplementation(serverInfo) ? serverInfo : undefined,
    serverCapabilities: isServerCapabilities(capabilities) ? capabilities : {},
    instructions: typeof instructions === "string" ? instructions : undefined,
  };
}

function isServerCapabilities(value: unknown): value is ServerCapabilities {
  return isObject(value);
}

export function chooseVersion(offered: readonly string[], plan: Plan): Revision | undefined {
  const ours =
    plan.revision === undefined
      ? versionsOf(plan.era === "auto" ? undefined : plan.era)
      : [plan.revision.version];
  return findRevision(ours.find((version) => offered.includes(version)));
}

export function noCommonVersion(offered: readonly string[], plan: Plan): Failure {
  const ours =
    plan.revision === undefined
      ? versionsOf(plan.era === "auto" ? undefined : plan.era)
      : [plan.revision.version];
  return { code: "version", what: describeVersions(offered, ours) };
}

export function describeVersions(theirs: readonly string[], ours: readonly string[]): string {
  const named = toPrintable(theirs.slice(0, 10).join(", "), 200);
  return `the server speaks ${named === "" ? "no version at all" : named}, expected ${oneOf(ours)}`;
}

export function oneOf(versions: readonly string[]): string {
  return versions.length === 1 ? versions.join() : `one of ${versions.join(", ")}`;
}

/** Gives what a stateless request says of its caller. */
export function makeMeta(
  revision: Revision,
  { clientInfo, capabilities }: Pick<Plan, "clientInfo" | "capabilities">,
): JsonObject {
  return {
    [MetaKey.protocolVersion]: revision.version,
    [MetaKey.clientInfo]: clientInfo,
    [MetaKey.clientCapabilities]: capabilities,
  };
}
