/** Where commands print: results to stdout, everything else to stderr; colour and a spinner only for a person at a terminal. */

import type { Writable } from "node:stream";
import { styleText } from "node:util";
import { noSpinner, startSpinner, type Spinner } from "./spinner.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Colours a text, where a person reads it. */
export type Paint = (style: Style, text: string) => string;

/** A stream that may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Screen {
  /** Prints a result, with a newline. */
  print(text: string): void;
  /** Prints these bytes and no others. */
  printBytes(bytes: Uint8Array): void;
  /** Prints what is no result (a reason, a remark, a transcript) on stderr, with a newline. */
  note(text: string): void;
  /** Colours a text for `print` or for `note`, where a person reads that stream. */
  paint(style: Style, text: string, to: "print" | "note"): string;
  /** Whether a person reads the results: bytes that a terminal acts upon must not get there. */
  readonly isTerminal: boolean;
  /** Shows a spinner until it is disposed; nothing where stderr is no terminal. */
  spin(label: string): Spinner;
}

export interface ScreenParts {
  /** Called when a result could not be written, for another reason than that nobody wants it. */
  readonly onLost?: () => void;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function openScreen({
  stdout,
  stderr,
  environment,
  onLost = () => {},
}: ScreenParts): Screen {
  // A reader that has gone, as `head -1` has: what it does not want is not written, and that is no error. A full disk is one.
  let hasReader = true;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    hasReader = false;
    if (error.code === "EPIPE") return;
    stderr.write(`Cannot write to stdout: ${error.message}, expected room for the result\n`);
    onLost();
  });
  stderr.on("error", () => {}); // the same, and there is no other place to say so
  let spinner = noSpinner;
  const canSpin = stderr.isTTY === true && environment["TERM"] !== "dumb";
  const write = (result: string | Uint8Array): void => {
    spinner.wipe();
    if (hasReader) stdout.write(result);
  };
  return {
    isTerminal: stdout.isTTY === true,
    print: (text) => write(`${text}\n`),
    printBytes: write,
    note: (text) => {
      spinner.wipe();
      stderr.write(`${text}\n`);
    },
    paint: (style, text, to) =>
      styleText(style, text, { stream: to === "print" ? stdout : stderr }),
    spin: (label) => {
      if (!canSpin) return noSpinner;
      spinner[Symbol.dispose]();
      spinner = startSpinner((text) => stderr.write(text), label, widthOf(stderr));
      return spinner;
    },
  };
}

/** A terminal that does not know its width says 0. */
function widthOf({ columns = 0 }: Output): number {
  return columns > 0 ? columns : 80;
}
