/** Puts into words why a server could not be started, is gone, or says nothing. */

import { toPrintable } from "../protocol/index.ts";
import { within, type ChildTransport } from "../transport/index.ts";
import type { Failure } from "./client-error.ts";
import type { Connection } from "./connection.ts";
import { quoteEnd } from "./last-words.ts";
import type { CommandTarget } from "./options.ts";

/** How long a server whose stdout has ended may take to exit, before it counts as running on. */
const exitGraceMs = 500;

/** Says why a command could not be started. */
export function explainLaunch({ command, cwd }: CommandTarget, cause: unknown): Failure {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const shown = toPrintable(command, 100);
  const place =
    cwd === undefined ? "" : `, or no directory "${toPrintable(cwd, 100)}" to start it in`;
  switch (code) {
    case "ENOENT":
      return {
        code: "not-launched",
        what: `there is no command "${shown}"${place}, expected a program on the PATH or the path of one`,
        hint: { text: `command -v ${shown}` },
        cause,
      };
    case "EACCES":
      return {
        code: "not-launched",
        what: `"${shown}" may not be executed, expected a program${place}`,
        hint: { text: `chmod +x ${shown}` },
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

/** Says why nothing arrives any more from a process: that it ended, or that it closed its stdout alone. */
export async function explainExit(child: ChildTransport): Promise<Failure> {
  const status = await within(child.finished, exitGraceMs);
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

/** Says why nothing arrives any more from a server that is no process of this side. */
export function explainClosing(): Failure {
  return { code: "closed", what: "the other side closed the connection before it replied" };
}

/** What is known of a server that says nothing. */
interface Quiet {
  readonly connection: Connection;
  readonly child: ChildTransport | undefined;
  readonly url?: string;
}

/**
 * Tells apart why there was no reply to the first request: pollution, a process that is still at work, or silence.
 *
 * @param waitedMs how long was waited; a process that wrote in the last quarter of it is slow, not silent
 */
export function explainSilence(
  { connection, child, url }: Quiet,
  what: string,
  waitedMs: number,
): Failure {
  const stderrTail = child?.stderr.text() ?? "";
  const quoted = quoteEnd(stderrTail);
  const stderr = quoted === undefined ? "" : `; stderr ended with: ${quoted}`;
  const { observations } = connection;
  const asked = [...connection.unanswered].join(" or ");
  const { strayLineCount, unknownReplies, strayLines } = observations;
  if (unknownReplies > 0) return { code: "protocol", what: `${what}${stderr}`, stderrTail };
  if (url !== undefined) {
    const detail = `the server has not replied within ${waitedMs} ms, expected a reply to ${asked}`;
    return {
      code: "silent",
      what: detail,
      hint: { option: "startTimeoutMs", value: waitedMs * 4 },
    };
  }
  if (strayLineCount > 0) {
    const lines =
      strayLineCount === 1
        ? "1 line that is no message"
        : `${strayLineCount} lines that are no messages`;
    return {
      code: "polluted",
      what: `stdout carried ${lines}, and no reply within ${waitedMs} ms, expected messages alone; the first: ${strayLines[0]}${stderr}`,
      hint: { text: "print to stderr instead: stdout belongs to the protocol" },
      stderrTail,
    };
  }
  const stdoutBytes = child?.stdoutBytes ?? 0;
  if (stdoutBytes > 0 && !connection.hasHeard) {
    return {
      code: "polluted",
      what: `the process wrote ${stdoutBytes} bytes to stdout and no newline within ${waitedMs} ms, expected one at the end of each message${stderr}`,
      hint: { text: "end each message with \\n, and flush" },
      stderrTail,
    };
  }
  const sinceOutput =
    child?.lastOutputAt === undefined ? Infinity : performance.now() - child.lastOutputAt;
  if (sinceOutput < waitedMs / 4) {
    return {
      code: "slow",
      what: `the process still writes, ${Math.round(sinceOutput)} ms ago the last, and has not replied within ${waitedMs} ms, expected a reply to ${asked}${stderr}`,
      hint: { option: "startTimeoutMs", value: waitedMs * 4 },
      stderrTail,
    };
  }
  return {
    code: "silent",
    what: `the process runs and has said nothing within ${waitedMs} ms, expected a reply to ${asked}${stderr}`,
    stderrTail,
  };
}
