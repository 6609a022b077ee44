/** Opens a target once: a started process or a given transport, with the connection over it. */

import {
  startChild,
  type ChildTransport,
  type StopTimes,
  type Transport,
} from "../transport/index.ts";
import type { CloseReport } from "./close-report.ts";
import { createError } from "./client-error.ts";
import { Connection, type ConnectionParts } from "./connection.ts";
import { explainClosing, explainExit, explainLaunch } from "./explain-opening.ts";
import { nameTarget } from "./name-target.ts";
import type { ConnectOptions, ConnectTarget } from "./options.ts";
import { openUrl } from "./open-url.ts";

export interface Opening {
  readonly connection: Connection;
  /** Absent where the server is no process of this side. */
  readonly child: ChildTransport | undefined;
  /** Where the server listens, fit to be shown. */
  readonly url?: string;
  close(times: StopTimes): Promise<CloseReport>;
}

/** Where what arrives goes. */
export type Wiring = Pick<ConnectionParts, "observations" | "onRequest" | "onNotification">;

/** Throws a `ClientError` with the code "not-launched" when the command cannot be started. */
export async function open(
  target: ConnectTarget,
  options: ConnectOptions,
  wiring: Wiring,
): Promise<Opening> {
  if ("transport" in target) return openTransport(target.transport, options, wiring);
  if ("url" in target) {
    const transport = await openUrl(target, options);
    return { ...openTransport(transport, options, wiring), url: nameTarget(target) };
  }
  const { maxLineBytes, onLine } = options;
  const child = await startChild({
    ...target,
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
  }).catch((cause: unknown) => {
    throw createError(`Cannot connect to ${nameTarget(target)}`, explainLaunch(target, cause));
  });
  if (onLine !== undefined) child.observe(onLine);
  const connection = new Connection({
    ...wiring,
    transport: child,
    onFault: options.onFault,
    explainEnd: () => explainExit(child),
  });
  const close = async (times: StopTimes): Promise<CloseReport> => ({
    kind: "process",
    ...(await child.stop(times)),
  });
  return { connection, child, close };
}

function openTransport(
  transport: Transport,
  { onLine, onFault }: ConnectOptions,
  wiring: Wiring,
): Opening {
  if (onLine !== undefined) transport.observe?.(onLine);
  const explainEnd = async () => explainClosing();
  const connection = new Connection({ ...wiring, transport, onFault, explainEnd });
  const close = async (): Promise<CloseReport> => {
    const startedAt = performance.now();
    await transport.close();
    return { kind: "connection", durationMs: performance.now() - startedAt };
  };
  return { connection, child: undefined, close };
}
