/** This process's own standard streams as a transport: the serving end of stdio. */

import { describeThrown } from "../protocol/index.ts";
import type { LineReaderOptions } from "./line-reader.ts";
import { guardStdout } from "./stdout-guard.ts";
import { StreamTransport } from "./stream-transport.ts";
import { within } from "./within.ts";

export interface Stdio extends AsyncDisposable {
  readonly transport: StreamTransport;
  /** Writes one line for a person to stderr. */
  report(text: string): void;
  /** Resolves when the process is asked to end by SIGTERM, SIGINT or SIGHUP. */
  readonly terminated: Promise<void>;
  /** Resolves `limitMs` after stdin has ended: whatever still waits then, for a call or for a peer that does not read, is given up. */
  overdue(limitMs: number): Promise<void>;
  /** Ends the process, by default with code 0, once everything has been written or `limitMs` have passed. */
  exit(limitMs: number, code?: number): Promise<never>;
}

/** SIGHUP comes when the terminal behind the host is closed. */
const endingSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Takes the standard streams for the protocol.
 *
 * While they are taken, stray prints go to stderr, a closed stderr is survived, and an error that no call caught is reported
 * instead of ending the process: one call's fault must not end the others.
 */
export function openStdio(options: LineReaderOptions = {}): Stdio {
  const { stdin, stdout, stderr } = process;
  const report = (text: string): void => {
    if (stderr.writable) stderr.write(`genkan: ${text}\n`);
  };
  const guard = guardStdout(stdout, stderr, report);
  const transport = new StreamTransport({
    input: stdin,
    output: stdout,
    write: guard.write,
    end: guard.end,
    ...options,
  });
  const onStdoutError = (error: NodeJS.ErrnoException): void => {
    if (error.code === "EPIPE") return; // the peer has closed its end: that is how a session ends
    report(`stdout cannot be written to, so the server ends: ${error.message}`);
  };
  const onStderrError = (): void => {}; // nobody reads stderr any more: the protocol goes on without it
  const onUncaught = (thrown: unknown): void =>
    report(`an error outside of any call: ${describeThrown(thrown)}`);
  stdout.on("error", onStdoutError);
  stderr.on("error", onStderrError);
  process.on("uncaughtException", onUncaught);
  process.on("unhandledRejection", onUncaught);
  const { promise: terminated, resolve: terminate } = Promise.withResolvers<void>();
  for (const signal of endingSignals) process.once(signal, terminate);

  const release = (): void => {
    guard.release();
    process.off("uncaughtException", onUncaught);
    process.off("unhandledRejection", onUncaught);
    for (const signal of endingSignals) process.off(signal, terminate);
    stdout.off("error", onStdoutError);
    stdin.pause();
  };
  return {
    transport,
    report,
    terminated,
    overdue: (limitMs) =>
      new Promise((resolve) => {
        stdin.once("close", () => setTimeout(resolve, Math.min(limitMs, 2 ** 31 - 1)));
      }),
    exit: async (limitMs, code = 0) => {
      await within(transport.flushed(), limitMs);
      process.exit(code);
    },
    [Symbol.asyncDispose]: async () => {
      await transport.flushed();
      release();
    },
  };
}
