/** A process under measurement: started in a small environment, with its failure as a promise, and always ended. */

import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** How long a process may take to exit once its stdin has ended. */
const exitMs = 2_000;

export class Subject implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Rejects when the process exits before it is disposed of; never resolves. */
  readonly failure: Promise<never>;
  readonly exited: Promise<number | null>;
  #stderr = "";
  #isEnding = false;

  constructor([command, ...args]: readonly [command: string, ...args: string[]]) {
    const { PATH, HOME } = process.env; // others cost start-up time, NODE_EXTRA_CA_CERTS most
    this.#child = spawn(command, args, {
      cwd: import.meta.dirname,
      env: { PATH, HOME },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const { promise: exited, resolve: exit } = Promise.withResolvers<number | null>();
    const { promise: failure, reject: fail } = Promise.withResolvers<never>();
    this.exited = exited;
    this.failure = failure;
    this.failure.catch(() => {}); // whoever waits for the process races with it
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-2_000);
    });
    this.#child.stdin.on("error", () => {}); // the exit tells more
    this.#child.on("error", fail);
    this.#child.on("close", (code) => {
      exit(code);
      if (!this.#isEnding) fail(new Error(`The process exited with code ${code}: ${this.#stderr}`));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get stdin(): Writable {
    return this.#child.stdin;
  }

  get stdout(): Readable {
    return this.#child.stdout;
  }

  /** Gives what `work` gives, or throws when the process fails or the time is over first. */
  async orFail<Value>(work: Promise<Value>, timeoutMs = 60_000): Promise<Value> {
    const { promise: overdue, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new Error(`No end within ${timeoutMs} ms: ${this.#stderr}`));
    }, timeoutMs);
    try {
      return await Promise.race([work, this.failure, overdue]);
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    if (this.#child.pid === undefined) return;
    this.#child.stdin.end();
    this.#child.stdout.resume();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), exitMs);
    await this.exited;
    clearTimeout(timer);
  }
}
