/** Keeps stdout for the protocol: what any code of this process prints there goes to stderr instead. */

import type { Writable } from "node:stream";

type Written = (error?: Error | null) => void;

export interface StdoutGuard {
  /** The way to the real stdout, for the protocol alone. */
  readonly write: Writable["write"];
  /** Ends the real stdout. */
  readonly end: () => void;
  /** Gives stdout back. */
  release(): void;
}

/**
 * Turns `process.stdout.write`, and with it `console.log`, away to `stderr` until released, and reports the first such
 * write with the place in the code that made it. `end` and `destroy`, and with them a pipeline into stdout, are done at once
 * and leave it open: its end would be the end of the server.
 *
 * Out of reach, and so to be found by the peer: `fs.writeSync(1, …)` and children that inherit descriptor 1.
 */
export function guardStdout(
  stdout: Writable,
  stderr: Writable,
  report: (text: string) => void,
): StdoutGuard {
  // oxlint-disable-next-line typescript/unbound-method -- kept to be put back, and bound where they are called
  const { write, end, destroy } = stdout;
  let isReported = false;
  let isEndReported = false;
  const divert = (
    chunk: unknown,
    encoding?: BufferEncoding | Written,
    callback?: Written,
  ): boolean => {
    if (!isReported) {
      isReported = true;
      report(describeStray(chunk));
    }
    const done = typeof encoding === "function" ? encoding : callback;
    if (typeof chunk === "string" && typeof encoding === "string") stderr.write(chunk, encoding);
    else stderr.write(chunk instanceof Uint8Array ? chunk : String(chunk));
    if (typeof done === "function") queueMicrotask(() => done(null));
    return true;
  };
  const stayOpen = (): Writable => {
    if (!isEndReported) {
      isEndReported = true;
      report(`stdout carries the protocol, so it stays open; it was ended at ${placeOfCall()}`);
    }
    return stdout;
  };
  const divertEnd = (
    chunk?: unknown,
    encoding?: BufferEncoding | (() => void),
    callback?: () => void,
  ): Writable => {
    const done = [chunk, encoding, callback].find(isCallback);
    const isText = typeof encoding === "string";
    if (chunk !== undefined && chunk !== null && chunk !== done)
      divert(chunk, isText ? encoding : undefined);
    queueMicrotask(() => {
      stdout.emit("finish"); // a pipeline waits for it
      done?.();
    });
    return stayOpen();
  };
  const divertDestroy = (error?: Error): Writable => {
    if (stdout.errored !== null) return destroy.call(stdout, error); // a write failed: Node itself destroys it
    queueMicrotask(() => stdout.emit("finish")); // as above, when the pipeline has failed
    return stayOpen();
  };
  stdout.write = divert;
  stdout.end = divertEnd;
  stdout.destroy = divertDestroy;
  return {
    write: write.bind(stdout),
    end: end.bind(stdout),
    release: () => {
      if (stdout.write === divert) stdout.write = write;
      if (stdout.end === divertEnd) stdout.end = end;
      if (stdout.destroy === divertDestroy) stdout.destroy = destroy;
    },
  };
}

function isCallback(argument: unknown): argument is () => void {
  return typeof argument === "function";
}

function describeStray(chunk: unknown): string {
  const text =
    typeof chunk === "string"
      ? chunk
      : Buffer.from(chunk instanceof Uint8Array ? chunk : []).toString();
  const shown = JSON.stringify(text.length <= 60 ? text : `${text.slice(0, 60)}…`);
  return (
    `stdout carries the protocol, so ${shown} went to stderr instead, as will all that follows; ` +
    `it was written at ${placeOfCall()}; print with console.error`
  );
}

/** Gives the first place on the stack that is neither Node's nor this file's. */
function placeOfCall(): string {
  const frames = new Error().stack?.split("\n").slice(1);
  const caller = frames?.find(
    (frame) => !frame.includes("node:") && !frame.includes("stdout-guard"),
  );
  return caller?.trim().replace(/^at /, "") ?? "an unknown place";
}
