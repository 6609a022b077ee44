/** `logging/setLevel`: how much a handshake-era client wants to be told; a stateless one says it with each request. */

import {
  describeValue,
  ErrorCode,
  isLoggingLevel,
  loggingLevels,
  WireError,
} from "../../protocol/index.ts";
import type { Method } from "./method.ts";

export const setLevel: Method = (call) => {
  const { level } = call.params;
  if (!isLoggingLevel(level)) {
    const expected = loggingLevels.join(", ");
    throw new WireError(
      ErrorCode.InvalidParams,
      `"level" is ${describeValue(level)}, expected one of ${expected}`,
    );
  }
  call.peer.logLevel = level;
  return {};
};
