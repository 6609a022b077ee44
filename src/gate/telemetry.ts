/** Tells OpenTelemetry of each call, when the gate is told to: until then nothing of it is loaded. */

import { UsageError } from "../protocol/index.ts";
import type { Recorder } from "./telemetry-recorder.ts";

export interface Telemetry extends Recorder {
  /** Loads what it needs. Rejects with a `UsageError` when the package is not installed; `observe` then rejects too. */
  load(): Promise<void>;
}

/** @param read loads the file that needs the package */
export function openTelemetry(
  read: () => Promise<Recorder> = () => import("./telemetry-recorder.ts"),
): Telemetry {
  let recorder: Recorder | undefined;
  const load = async (): Promise<void> => {
    try {
      recorder ??= await read();
    } catch (cause) {
      if (!isMissing(cause)) throw cause;
      const what = `Cannot tell OpenTelemetry of calls: "@opentelemetry/api" is not installed, expected it beside Genkan`;
      throw new UsageError("no-telemetry", what, { cause, hint: "npm install @opentelemetry/api" });
    }
  };
  const observe: Recorder["observe"] = (tool, context, run) =>
    recorder === undefined
      ? load().then(() => observe(tool, context, run))
      : recorder.observe(tool, context, run);
  return { load, observe };
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
}
