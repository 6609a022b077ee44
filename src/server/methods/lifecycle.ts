/** Opening: `initialize` for the handshake era, `server/discover` for the stateless one, and `ping`. */

import {
  isImplementation,
  isObject,
  negotiateHandshake,
  refuseParam,
  versionsOf,
} from "../../protocol/index.ts";
import { capabilitiesOf, type Catalogue } from "../catalogue.ts";
import { pickMembers, requireString, type Method } from "./method.ts";

export const initialize: Method = (call) => {
  const { capabilities, clientInfo } = call.params;
  const revision = negotiateHandshake(requireString(call.params, "protocolVersion"));
  if (!isObject(capabilities))
    throw refuseParam("capabilities", capabilities, "an object ({} when there are none)");
  if (!isImplementation(clientInfo))
    throw refuseParam("clientInfo", clientInfo, `an object with "name" and "version"`);
  call.peer.handshake = { revision, capabilities, clientInfo, logLevel: undefined };
  const { info } = call.catalogue;
  return {
    protocolVersion: revision.version,
    capabilities: capabilitiesOf(call.catalogue, revision),
    serverInfo: pickMembers(info, revision.members.implementation),
    ...instructionsOf(call.catalogue),
  };
};

export const discover: Method = (call) => ({
  supportedVersions: versionsOf("stateless"),
  capabilities: capabilitiesOf(call.catalogue, call.revision),
  ...instructionsOf(call.catalogue),
  ...call.catalogue.cache,
});

export const ping: Method = () => ({});

function instructionsOf({ instructions }: Catalogue): { readonly instructions?: string } {
  return instructions === undefined ? {} : { instructions };
}
