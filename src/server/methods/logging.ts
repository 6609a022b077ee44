/** `logging/setLevel`: how much a handshake-era client wants to be told; a stateless one says it with each request. */

import { isLoggingLevel, loggingLevels, refuseParam } from "../../protocol/index.ts";
import type { Method } from "./method.ts";

export const setLevel: Method = (call) => {
  const { level } = call.params;
  if (!isLoggingLevel(level)) {
    throw refuseParam("level", level, `one of ${loggingLevels.join(", ")}`);
  }
  call.peer.logLevel = level;
  return {};
};
