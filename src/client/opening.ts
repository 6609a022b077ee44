/** Opens a target once: a started process or a given transport, with the connection over it. */

import { toPrintable } from "../protocol/index.ts";
import {
  startChild,
  type ChildTransport,
  type StopTimes,
  type Transport,
} from "../transport/index.ts";
import type { CloseReport } from "./close-report.ts";
import { createError, type Failure } from "./client-error.ts";
import { Connection, type ConnectionParts } from "./connection.ts";
import { quoteEnd } from "./last-words.ts";
import type { CommandTarget, ConnectOptions, ConnectTarget } from "./options.ts";
import { openUrl, showUrl } from "./open-url.ts";

export interface Opening {
  readonly connection: Connection;
  /** Absent where the server is no process of this side. */
  readonly child: ChildTransport | undefined;
  /** Where the server listens, fit to be shown. */
  readonly url?: string;
  close(times: StopTimes): Promise<CloseReport>;
}

/** How long a server whose stdout has ended may take to exit, before it counts as running on. */
const exitGraceMs = 500;

type Wiring = Pick<ConnectionParts, "observations" | "onRequest" | "onNotification">;

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
  const explainEnd = (): Promise<Failure> => explainExit(child);
  const connection = new Connection({
    ...wiring,
    transport: child,
    onFault: options.onFault,
    explainEnd,
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
  const explainEnd = async (): Promise<Failure> => ({
    code: "closed",
    what: "the other side closed the connection before it replied",
  });
  const connection = new Connection({ ...wiring, transport, onFault, explainEnd });
  const close = async (): Promise<CloseReport> => {
    const startedAt = performance.now();
    await transport.close();
    return { kind: "connection", durationMs: performance.now() - startedAt };
  };
  return { connection, child: undefined, close };
}

/** Names a target in the way of a sentence: `"node server.js"`. */
export function nameTarget(target: ConnectTarget): string {
  if ("transport" in target) return "the server";
  if ("url" in target) return `"${toPrintable(showUrl(target.url), 200)}"`;
  const words = [target.command, ...(target.args ?? [])].map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`,
  );
  return `"${toPrintable(words.join(" "), 200)}"`;
}

function explainLaunch({ command, cwd }: CommandTarget, cause: unknown): Failure {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const shown = toPrintable(command, 100);
  const place =
    cwd === undefined ? "" : `, or no directory "${toPrintable(cwd, 100)}" to start it in`;
  switch (code) {
    case "ENOENT":
      return {
        code: "not-launched",
        what: `there is no command "${shown}"${place}, expected a program on the PATH or the path of one`,
        hint: `command -v ${shown}`,
        cause,
      };
    case "EACCES":
      return {
        code: "not-launched",
        what: `"${shown}" may not be executed, expected a program${place}`,
        hint: `chmod +x ${shown}`,
        cause,
      };
    case "ENOTDIR":
      return {
        code: "not-launched",
        what: `there is no command "${shown}"${place}, expected a program`,
        cause,
      };
  }
  const text = cause instanceof Error ? cause.message : String(cause);
  return {
    code: "not-launched",
    what: `it could not be started (${toPrintable(text, 200)}), expected a process`,
    cause,
  };
}

async function explainExit(child: ChildTransport): Promise<Failure> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, exitGraceMs, undefined);
  const status = await Promise.race([child.finished, late]);
  clearTimeout(timer);
  const stderrTail = child.stderr.text();
  if (status === undefined) {
    return {
      code: "closed",
      what: "the server closed its stdout before it replied, and runs on",
      stderrTail,
    };
  }
  const { exitCode, signal } = status;
  const how = signal === null ? `exited with code ${exitCode}` : `was ended by ${signal}`;
  return { code: "exited", what: `the process ${how} before it replied`, exit: status, stderrTail };
}

/**
 * Tells apart why there was no reply to the first request: pollution, a process that is still at work, or silence.
 *
 * @param waitedMs how long was waited; a process that wrote in the last quarter of it is slow, not silent
 */
export function explainSilence(
  { connection, child, url }: Opening,
  what: string,
  waitedMs: number,
): Failure {
  const stderrTail = child?.stderr.text() ?? "";
  const quoted = quoteEnd(stderrTail);
  const stderr = quoted === undefined ? "" : `; stderr ended with: ${quoted}`;
  const { observations } = connection;
  const { strayLineCount, unknownReplies, strayLines } = observations.report({
    stderrTail: "",
    stderrBytes: 0,
  });
  if (unknownReplies > 0) return { code: "protocol", what: `${what}${stderr}`, stderrTail };
  if (url !== undefined) {
    const detail = `the server has not replied within ${waitedMs} ms, expected a reply to initialize`;
    return { code: "silent", what: detail, hint: `startTimeoutMs: ${waitedMs * 4}` };
  }
  if (strayLineCount > 0) {
    const lines = strayLineCount === 1 ? "1 line" : `${strayLineCount} lines`;
    return {
      code: "polluted",
      what: `stdout carried ${lines} that are no message, and no reply within ${waitedMs} ms, expected messages alone; the first: ${strayLines[0]}${stderr}`,
      hint: "print to stderr instead: stdout belongs to the protocol",
      stderrTail,
    };
  }
  const stdoutBytes = child?.stdoutBytes ?? 0;
  if (stdoutBytes > 0 && !connection.hasHeard) {
    return {
      code: "polluted",
      what: `the process wrote ${stdoutBytes} bytes to stdout and no newline within ${waitedMs} ms, expected one at the end of each message${stderr}`,
      hint: "end each message with \\n, and flush",
      stderrTail,
    };
  }
  const sinceOutput =
    child?.lastOutputAt === undefined ? Infinity : performance.now() - child.lastOutputAt;
  if (sinceOutput < waitedMs / 4) {
    return {
      code: "slow",
      what: `the process still writes, ${Math.round(sinceOutput)} ms ago the last, and has not replied within ${waitedMs} ms, expected a reply to initialize${stderr}`,
      hint: `startTimeoutMs: ${waitedMs * 4}`,
      stderrTail,
    };
  }
  return {
    code: "silent",
    what: `the process runs and has said nothing within ${waitedMs} ms, expected a reply to initialize${stderr}`,
    stderrTail,
  };
}
