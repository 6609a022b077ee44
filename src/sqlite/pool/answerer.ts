/** A process of ours that answers one question at a time, and is killed when it takes too long. */

import type { Buffer } from "node:buffer";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { QueryError } from "../query-error.ts";
import { encodeFrame } from "../reader/frames.ts";
import { FrameAssembler } from "./frame-assembler.ts";

interface Said {
  readonly kind: string;
  readonly isSpent?: true;
}

export interface AskOptions {
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
}

export class Answerer<Question extends Said, Reply extends Said> {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #isReply: (frame: unknown) => frame is Reply;
  readonly #frames = new FrameAssembler();
  readonly #ready = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<string>();
  #pending: PromiseWithResolvers<Reply> | undefined;
  #state: "starting" | "ready" | "killed" | "ended" = "starting";
  #wasKilled = false;
  #hasBeenReady = false;
  #stderr = "";
  #busyMs = 0;
  #isSpent = false;

  constructor(child: ChildProcessWithoutNullStreams, isReply: (frame: unknown) => frame is Reply) {
    this.#child = child;
    this.#isReply = isReply;
    this.#ready.promise.catch(() => {}); // whoever asks is told
    child.stdout.on("data", (piece: Buffer) => {
      this.#receive(piece);
    });
    child.stdout.on("end", () => {
      child.kill("SIGKILL"); // it can say nothing any more; most often it has ended
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-maxStderr);
    });
    child.stdin.on("error", () => {}); // EPIPE: the exit tells
    child.on("error", ({ message }) => {
      this.#end(message);
    });
    child.on("close", (code, signal) => {
      this.#end(signal ?? `exit code ${code}`);
    });
    this.#hold(false); // an idle process does not keep the program; one that is asked does, by its timer
  }

  /** Resolves with what it ended by, when the process is gone. */
  get exited(): Promise<string> {
    return this.#exited.promise;
  }

  get isUsable(): boolean {
    return this.#state === "starting" || this.#state === "ready";
  }

  get hasBeenReady(): boolean {
    return this.#hasBeenReady;
  }

  /** Whether it ended because it was killed from here. */
  get wasKilled(): boolean {
    return this.#wasKilled;
  }

  /** Whether it has said that a new one is better. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** How long it has worked in all. */
  get busyMs(): number {
    return this.#busyMs;
  }

  /** The last that it wrote on its stderr. */
  get lastWords(): string {
    return this.#stderr.trim();
  }

  /** Throws a `QueryError`: when one is `too-slow` or `cancelled`, the process has been killed. */
  async ask(question: Question, { deadlineMs, signal }: AskOptions): Promise<Reply> {
    if (this.#state === "starting") await this.#waitUntilReady(signal);
    if (signal?.aborted === true) throw cancelled(signal);
    if (!this.isUsable) throw died("it is gone");
    const pending = Promise.withResolvers<Reply>();
    this.#pending = pending;
    const began = performance.now();
    const onAbort = (): void => {
      this.kill(cancelled(signal));
    };
    const timer = setTimeout(() => {
      this.kill(tooSlow(deadlineMs));
    }, deadlineMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    this.tell(question);
    try {
      return await pending.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      this.#pending = undefined;
      this.#busyMs += performance.now() - began;
    }
  }

  /** Says something that has no reply. */
  tell(what: Question): void {
    this.#child.stdin.write(encodeFrame(what));
  }

  /** Ends it at once: it has nothing to lose. Whoever waits for a reply gets the error. */
  kill(error?: QueryError): void {
    if (this.#state === "ended") return;
    this.#state = "killed";
    this.#hold(true); // until it is gone
    this.#child.kill("SIGKILL");
    if (error !== undefined) this.#pending?.reject(error);
  }

  /** Whether the program goes on for this process alone. */
  #hold(isHeld: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const handle of [this.#child, stdin, stdout, stderr])
      if (isHandle(handle)) handle[isHeld ? "ref" : "unref"]();
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
      this.#ready.reject(cannotStart(`not ready within ${startMs} ms`));
    }, startMs);
    try {
      await Promise.race([this.#ready.promise, aborted.promise]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** What is no reply of ours, or comes unasked, comes from a process that has lost its way. */
  #receive(piece: Buffer): void {
    try {
      for (const frame of this.#frames.push(piece)) this.#take(frame);
    } catch {
      this.kill();
    }
  }

  #take(frame: unknown): void {
    if (!this.#isReply(frame)) throw new Error("It is no reply");
    if (frame.isSpent === true) this.#isSpent = true;
    if (frame.kind !== "ready") {
      if (this.#pending === undefined) throw new Error("Nobody asked");
      this.#pending.resolve(frame);
      return;
    }
    this.#hasBeenReady = true;
    if (this.#state === "starting") this.#state = "ready";
    this.#ready.resolve();
  }

  #end(what: string): void {
    if (this.#state === "ended") return;
    this.#wasKilled = this.#state === "killed";
    this.#state = "ended";
    this.#exited.resolve(what);
    const said = this.lastWords;
    const detail = said === "" ? what : `${what}: ${said}`;
    this.#ready.reject(cannotStart(detail));
    this.#pending?.reject(died(detail));
  }
}

/** Stops a process that complains for ever from filling the memory. */
const maxStderr = 4_000;
/** Stops a process that never comes up from holding who waits for it. */
const startMs = 10_000;

/** The pipes are sockets, which their types do not say. */
function isHandle(value: object): value is { ref(): unknown; unref(): unknown } {
  return "ref" in value && "unref" in value;
}

function tooSlow(deadlineMs: number): QueryError {
  return new QueryError("too-slow", `The query ran for ${deadlineMs} ms and was stopped`, {
    hint: "Ask for less, such as a shorter period",
  });
}

/** Nobody waits for the answer any more. */
export function cancelled(signal: AbortSignal | undefined): QueryError {
  return new QueryError("cancelled", "The query was stopped: nobody waits for its answer", {
    cause: signal?.reason,
  });
}

function cannotStart(detail: string): QueryError {
  return new QueryError("reader-died", "The process that reads the database cannot be started", {
    cause: new Error(detail),
  });
}

function died(detail: string): QueryError {
  return new QueryError("reader-died", "The process that read the database has died", {
    hint: "Ask for less: it may have run out of memory",
    cause: new Error(detail),
  });
}
