/** One reader, as its parent sees it: asked one thing at a time, killed when it takes too long. */

import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { QueryError } from "../query-error.ts";
import { encodeFrame } from "../reader/frames.ts";
import type { Reply, Request } from "../reader/request.ts";
import { FrameAssembler } from "./frame-assembler.ts";
import { readReply } from "./read-reply.ts";

export class ReaderProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #frames = new FrameAssembler();
  readonly #ready = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  #pending: PromiseWithResolvers<Reply> | undefined;
  #isReady = false;
  #hasExited = false;
  #isKilled = false;
  #stderr = "";
  #busyMs = 0;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#ready.promise.catch(() => {}); // whoever asks is told
    child.stdout.on("data", (piece: Buffer) => {
      this.#receive(piece);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-maxStderr);
    });
    child.stdin.on("error", () => {}); // EPIPE: the exit tells
    child.on("error", (cause) => {
      this.#end(`it cannot be started (${cause.message})`);
    });
    child.on("close", (code, signal) => {
      this.#end(signal === null ? `it ended with ${code}` : `it was ended by ${signal}`);
    });
  }

  /** Resolves when the process is gone. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  get isUsable(): boolean {
    return !this.#hasExited && !this.#isKilled;
  }

  get hasBeenReady(): boolean {
    return this.#isReady;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** How long it has worked in all. */
  get busyMs(): number {
    return this.#busyMs;
  }

  /** Throws a `QueryError`; of `too-slow` and `cancelled` the process is killed. */
  async ask(request: Request, signal: AbortSignal | undefined): Promise<Reply> {
    if (!this.#isReady) await this.#waitUntilReady(signal);
    if (signal?.aborted === true) throw cancelled(signal);
    if (!this.isUsable) throw new QueryError("reader-died", "The reader of the database has died");
    const pending = Promise.withResolvers<Reply>();
    this.#pending = pending;
    const began = performance.now();
    const stop = (error: QueryError): void => {
      this.kill();
      pending.reject(error);
    };
    const onAbort = (): void => {
      stop(cancelled(signal));
    };
    const timer = setTimeout(() => {
      stop(tooSlow(request.deadlineMs));
    }, request.deadlineMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#child.stdin.write(encodeFrame(request));
    try {
      return await pending.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      this.#pending = undefined;
      this.#busyMs += performance.now() - began;
    }
  }

  kill(): void {
    this.#isKilled = true;
    this.#child.kill("SIGKILL");
  }

  /** Ends it at leisure: it reads the end of its input. */
  async close(): Promise<void> {
    if (this.#hasExited) return;
    this.#child.stdin.end();
    const timer = setTimeout(() => {
      this.kill();
    }, closeMs);
    await this.exited;
    clearTimeout(timer);
  }

  async #waitUntilReady(signal: AbortSignal | undefined): Promise<void> {
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => {
      aborted.reject(cancelled(signal));
    };
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(() => {
      this.kill();
      this.#ready.reject(cannotStart(`it was not ready within ${startMs} ms`));
    }, startMs);
    try {
      await Promise.race([this.#ready.promise, aborted.promise]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  #receive(piece: Buffer): void {
    let frames: readonly unknown[];
    try {
      frames = this.#frames.push(piece);
    } catch {
      this.kill(); // what it writes is no frame
      return;
    }
    for (const frame of frames) {
      const reply = readReply(frame);
      if (reply === undefined) this.kill();
      else if (reply.kind === "ready") {
        this.#isReady = true;
        this.#ready.resolve();
      } else this.#pending?.resolve(reply);
    }
  }

  #end(what: string): void {
    if (this.#hasExited) return;
    this.#hasExited = true;
    this.#exited.resolve();
    const said = this.#stderr.trim();
    const detail = said === "" ? what : `${what}: ${said}`;
    this.#ready.reject(cannotStart(detail));
    this.#pending?.reject(died(detail));
  }
}

/** Stops a reader that complains for ever from filling the memory. */
const maxStderr = 4_000;
/** Stops a reader that never starts from holding its caller. */
const startMs = 10_000;
/** Stops a reader that does not end from holding the program. */
const closeMs = 1_000;

function tooSlow(deadlineMs: number): QueryError {
  return new QueryError("too-slow", `The query took longer than ${deadlineMs} ms and was stopped`, {
    hint: "Ask for less: a shorter period or fewer rows",
  });
}

function cancelled(signal: AbortSignal | undefined): QueryError {
  return new QueryError("cancelled", "The query was stopped, because nobody waits for its answer", {
    cause: signal?.reason,
  });
}

function cannotStart(detail: string): QueryError {
  return new QueryError("reader-died", "Cannot start a process that reads the database", {
    cause: new Error(detail),
  });
}

function died(detail: string): QueryError {
  return new QueryError("reader-died", "The process that read the database has died", {
    cause: new Error(detail),
  });
}
