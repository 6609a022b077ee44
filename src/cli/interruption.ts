/** Ctrl-C and its kin: the first asks the command to end in order, the second ends it at once. */

import process from "node:process";
import { exitCodes } from "./exit-codes.ts";

export interface Interruption extends Disposable {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
}

/** Listens until it is disposed; before and after, a signal ends this process as it ends any other. */
export function watchInterruption(): Interruption {
  const controller = new AbortController();
  const onSignal = (): void => {
    // Servers that are still being ended are killed when this process exits: see `guardProcessGroup()`.
    if (controller.signal.aborted) process.exit(exitCodes.interrupted.code);
    controller.abort();
  };
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
