/** What progress notifications are to a call: asked for by a token, read, and a reason to wait longer. */

import { isObject, MetaKey, type JsonObject } from "../protocol/index.ts";
import { defaultMaxTotalTimeoutMs, type Progress } from "./call-options.ts";
import type { OutgoingCall, PendingCall } from "./pending-calls.ts";

export function wantsProgress({ options }: OutgoingCall): boolean {
  return options.onProgress !== undefined || options.resetTimeoutOnProgress === true;
}

/** Asks for progress under the call's own id. */
export function addProgressToken(params: JsonObject | undefined, id: number): JsonObject {
  const meta = params?.["_meta"];
  return {
    ...params,
    _meta: { ...(isObject(meta) ? meta : undefined), [MetaKey.progressToken]: id },
  };
}

/** Gives `undefined` for what says no number. */
export function parseProgress(params: JsonObject = {}): Progress | undefined {
  const { progress, total, message } = params;
  if (typeof progress !== "number") return undefined;
  return {
    progress,
    total: typeof total === "number" ? total : undefined,
    message: typeof message === "string" ? message : undefined,
  };
}

/** Starts the time of a call anew, where it asked for that, and never beyond its total. */
export function renewDeadline(pending: PendingCall): void {
  const { timeoutMs, options } = pending.call;
  if (options.resetTimeoutOnProgress !== true) return;
  const most = options.maxTotalTimeoutMs ?? Math.max(defaultMaxTotalTimeoutMs, timeoutMs);
  pending.deadline = Math.min(performance.now() + timeoutMs, pending.startedAt + most);
}
