/** Gives a notification to the call it is about: its progress, what its stream carries, its end. */

import {
  describeValue,
  isObject,
  isRequestId,
  MetaKey,
  type JsonObject,
  type NotificationMessage,
} from "../protocol/index.ts";
import { callOut } from "../transport/index.ts";
import type { Observations } from "./observations.ts";
import type { PendingCalls } from "./pending-calls.ts";
import { parseProgress, renewDeadline } from "./progress.ts";

/** Says whether it was progress, which concerns nobody but its call. */
export function giveToCall(
  message: NotificationMessage,
  calls: PendingCalls,
  observations: Observations,
): boolean {
  const { method, params } = message;
  if (method === "notifications/progress") {
    giveProgress(params, calls, observations);
    return true;
  }
  const meta = params?.["_meta"];
  const stream = isObject(meta) ? meta[MetaKey.subscriptionId] : undefined;
  findCall(stream, calls)?.call.onNotification?.(message);
  // A server ends a subscription this way when it cannot answer the call any more.
  if (method === "notifications/cancelled")
    findCall(params?.["requestId"], calls)?.call.onNotification?.(message);
  return false;
}

function giveProgress(
  params: JsonObject | undefined,
  calls: PendingCalls,
  observations: Observations,
): void {
  const pending = findCall(params?.["progressToken"], calls);
  if (pending === undefined) return;
  const progress = parseProgress(params);
  if (progress === undefined) {
    const is = describeValue(params?.["progress"]);
    return observations.remark(`A progress notification has a "progress" that is ${is}`);
  }
  renewDeadline(pending);
  const { onProgress } = pending.call.options;
  if (onProgress !== undefined) callOut(onProgress, progress);
}

function findCall(id: unknown, calls: PendingCalls): ReturnType<PendingCalls["get"]> {
  return isRequestId(id) ? calls.get(id) : undefined;
}
