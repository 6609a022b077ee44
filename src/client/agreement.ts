/** What two sides agree on. */

import {
  describeValue,
  isImplementation,
  isObject,
  type Implementation,
  type JsonObject,
  type Revision,
  type ServerCapabilities,
} from "../protocol/index.ts";
import type { Failure } from "./client-error.ts";
import type { Connection } from "./connection.ts";

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
