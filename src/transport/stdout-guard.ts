/** Keeps stdout for the protocol: what any code of this process prints there goes to stderr instead. */

import type { Writable } from "node:stream";

type Written = (error?: Error | null) => void;

export interface StdoutGuard {
  /** The way to the real stdout, for the protocol alone. */
  readonly write: Writable["write"];
  /** Gives stdout back. */
  release(): void;
}

/**
 * Turns `process.stdout.write`, and with it `console.log`, away to `stderr` until released, and reports the first such
 * write with the place in the code that made it.
 *
 * Out of reach, and so to be found by the peer: `fs.writeSync(1, …)` and children that inherit descriptor 1.
 */
export function guardStdout(
  stdout: Writable,
  stderr: Writable,
  report: (text: string) => void,
): StdoutGuard {
  // oxlint-disable-next-line typescript/unbound-method -- kept to be put back, and bound where it is called
  const original = stdout.write;
  let isReported = false;
  const divert = (
    chunk: unknown,
    encoding?: BufferEncoding | Written,
    callback?: Written,
  ): boolean => {
    if (!isReported) {
      isReported = true;
      report(describeStray(chunk, new Error().stack));
    }
    const done = typeof encoding === "function" ? encoding : callback;
    if (typeof chunk === "string" && typeof encoding === "string") stderr.write(chunk, encoding);
    else stderr.write(chunk instanceof Uint8Array ? chunk : String(chunk));
    if (typeof done === "function") queueMicrotask(() => done(null));
    return true;
  };
  stdout.write = divert;
  return {
    write: original.bind(stdout),
    release: () => {
      if (stdout.write === divert) stdout.write = original;
    },
  };
}

function describeStray(chunk: unknown, stack: string | undefined): string {
  const text =
    typeof chunk === "string"
      ? chunk
      : Buffer.from(chunk instanceof Uint8Array ? chunk : []).toString();
  const shown = JSON.stringify(text.length <= 60 ? text : `${text.slice(0, 60)}…`);
  return (
    `stdout carries the protocol, so ${shown} went to stderr instead, as will all that follows; ` +
    `it was written at ${callerOf(stack)}; print with console.error`
  );
}

/** Gives the first place of a stack that is neither Node's nor this file's. */
function callerOf(stack = ""): string {
  const frames = stack.split("\n").slice(2);
  const caller = frames.find(
    (frame) => !frame.includes("node:") && !frame.includes("stdout-guard"),
  );
  return caller?.trim().replace(/^at /, "") ?? "an unknown place";
}
