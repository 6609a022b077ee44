/** A server started as a child process: its standard streams as a transport, its stderr drained, its end reported. */

import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Arrival, Outgoing } from "../protocol/index.ts";
import { ByteTail } from "./byte-tail.ts";
import type { LineReaderOptions } from "./line-reader.ts";
import type { LineObserver } from "./line-tap.ts";
import { guardProcessGroup, type ProcessGroup } from "./process-group.ts";
import { pickSafeEnvironment } from "./safe-environment.ts";
import { descendLadder, type ExitStatus, type StopReport, type StopTimes } from "./stop-ladder.ts";
import { StreamTransport } from "./stream-transport.ts";
import type { Transport } from "./transport.ts";
import { within } from "./within.ts";

export interface StartOptions extends LineReaderOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the short safe environment; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** How long the pipes of a dead process may stay open before they are closed from this side: a grandchild may hold them. */
const drainMs = 250;

/**
 * Starts a command without a shell, in a process group of its own.
 *
 * Rejects with Node's own error when the command cannot be started.
 */
export async function startChild(options: StartOptions): Promise<ChildTransport> {
  const { spawn } = await import("node:child_process");
  const { command, args = [], env = {}, cwd, ...limits } = options;
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...pickSafeEnvironment(process.env, process.platform), ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", resolve);
  });
  return new ChildTransport(child, limits);
}

export class ChildTransport implements Transport, AsyncDisposable {
  /** Resolves when the process itself has ended; its pipes may still be open. */
  readonly exited: Promise<ExitStatus>;
  /** Resolves when it has ended and all it had written has been read, or its pipes were closed from this side. */
  readonly finished: Promise<ExitStatus>;
  readonly stderr = new ByteTail();
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #streams: StreamTransport;
  readonly #group: ProcessGroup;
  #status: ExitStatus | undefined;
  #lastOutputAt: number | undefined;
  #stdoutBytes = 0;
  #stop: Promise<StopReport> | undefined;

  constructor(child: ChildProcessWithoutNullStreams, limits: LineReaderOptions) {
    this.#child = child;
    this.#group = guardProcessGroup(child);
    this.#streams = new StreamTransport({
      input: child.stdout,
      output: child.stdin,
      readsOn: true,
      ...limits,
    });
    child.on("error", () => {}); // a signal that could not be sent: the ladder sees for itself whether the process ended
    child.stderr.on("error", () => {}); // nothing more to read there
    child.stderr.on("data", (piece: Buffer) => {
      this.#lastOutputAt = performance.now();
      this.stderr.append(piece);
    });
    child.stdout.on("data", (piece: Buffer) => {
      this.#stdoutBytes += piece.length;
      this.#lastOutputAt = performance.now();
    });
    this.exited = new Promise((resolve) => {
      child.once("exit", (exitCode, signal) => {
        this.#status = { exitCode, signal };
        resolve(this.#status);
      });
    });
    this.finished = this.exited.then(async (status) => {
      await this.#drain();
      return status;
    });
  }

  get pid(): number {
    return this.#group.pid;
  }

  get incoming(): AsyncIterable<readonly Arrival[]> {
    return this.#streams.incoming;
  }

  get broken(): Promise<number> {
    return this.#streams.broken;
  }

  /** How the process ended, or `undefined` while it runs. */
  get status(): ExitStatus | undefined {
    return this.#status;
  }

  /** All bytes that it wrote to stdout. */
  get stdoutBytes(): number {
    return this.#stdoutBytes;
  }

  /** When it last wrote anything, by the clock of `performance.now()`. */
  get lastOutputAt(): number | undefined {
    return this.#lastOutputAt;
  }

  send(message: Outgoing): void {
    this.#streams.send(message);
  }

  drained(): Promise<void> | undefined {
    return this.#streams.drained();
  }

  observe(observer: LineObserver): void {
    this.#streams.observe(observer);
  }

  async close(): Promise<void> {
    await this.stop();
  }

  /** Ends the process and everything it started, and says what that took. Stopping twice gives the first report. */
  stop(times?: StopTimes): Promise<StopReport> {
    this.#stop ??= this.#descend(times);
    return this.#stop;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #descend(times: StopTimes | undefined): Promise<StopReport> {
    const startedAt = performance.now();
    const descent = await descendLadder(
      {
        group: this.#group,
        exited: this.exited,
        hasExited: () => this.#status !== undefined,
        closeStdin: () => void this.#closeStdin(),
      },
      times,
    );
    await (this.#status === undefined ? this.#drain() : this.finished);
    this.#group.release();
    const { exitCode, signal } = this.#status ?? { exitCode: null, signal: null };
    const durationMs = performance.now() - startedAt;
    return { ...descent, exitCode, signal, durationMs, stderrTail: this.stderr.text() };
  }

  /** Waits for what was sent to be taken; a process that does not read never sees its end, and is signalled instead. */
  async #closeStdin(): Promise<void> {
    await this.#streams.flushed();
    this.#child.stdin.end();
  }

  /** Reads what a dead process left in its pipes, then closes them, whoever else still holds them. */
  async #drain(): Promise<void> {
    const { stdin, stdout, stderr } = this.#child;
    const ended = [stdout, stderr].map(
      (stream) =>
        new Promise((resolve) => {
          if (stream.readableEnded || stream.destroyed) resolve(undefined);
          stream.once("close", resolve);
          stream.once("end", resolve);
        }),
    );
    await within(Promise.all(ended), drainMs);
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
  }
}
