/** Where the values of secrets are: in the environment, in a file, or in what a command prints. */

import { execFile } from "node:child_process";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { UsageError } from "../protocol/index.ts";
import { maxSecretBytes } from "./secret-value.ts";

export type SecretSource =
  | { readonly from: "env"; readonly variable: string }
  /** A file that its owner alone may read: mode 0600 or less. One line end at its end is no part of the value. */
  | { readonly from: "file"; readonly path: string }
  /** A program and its arguments, run without a shell; what it prints is the value. */
  | { readonly from: "command"; readonly command: readonly [program: string, ...args: string[]] };

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the value of a variable. Throws a `UsageError` when it is not set. */
export function readVariable(name: string, variable: string, environment: Environment): string {
  const value = environment[variable];
  if (value !== undefined) return value;
  throw invalidSecret(
    name,
    `the environment variable "${variable}" is not set, expected the value in it`,
  );
}

/** Reads the value in a file. Throws a `UsageError` for a file that is not there, or not for its owner alone. */
export function readSecretFile(name: string, path: string): string {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK); // does not wait for the writer of a pipe
  } catch (thrown) {
    const what = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "not readable";
    throw invalidSecret(name, `the file "${path}" is ${what}, expected one to read`);
  }
  try {
    const stat = fstatSync(file); // of what is open: what the path names may change in between
    if (!stat.isFile())
      throw invalidSecret(name, `"${path}" is no file, expected one of mode 0600`);
    const mode = stat.mode & 0o777;
    if ((mode & 0o077) !== 0)
      throw invalidSecret(
        name,
        `others may use the file "${path}": its mode is 0${mode.toString(8)}, expected 0600`,
        `chmod 600 "${path}"`,
      );
    const bytes = Buffer.alloc(maxSecretBytes + 3); // the longest value, its line end, and one byte that says "too long"
    const length = readSync(file, bytes);
    return withoutLineEnd(bytes.toString("utf8", 0, length));
  } finally {
    closeSync(file);
  }
}

export interface CommandOptions {
  readonly environment: Environment;
  /** Stops a command that waits for something. */
  readonly timeoutMs: number;
}

/** Runs a command and gives what it prints. Rejects with a `UsageError` that says how it ended, and nothing it printed. */
export function runSecretCommand(
  name: string,
  [program, ...args]: readonly [string, ...string[]],
  { environment, timeoutMs }: CommandOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      env: environment,
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      maxBuffer: maxSecretBytes + 2,
      windowsHide: true,
    } as const;
    const child = execFile(program, args, options, (error, stdout) => {
      if (error === null) resolve(withoutLineEnd(stdout));
      else reject(invalidSecret(name, describeEnd(program, error)));
    });
    child.stdin?.on("error", () => {}); // a command that reads nothing may be gone before this
    child.stdin?.end();
  });
}

function describeEnd(
  program: string,
  { code, killed }: Error & { code?: unknown; killed?: unknown },
): string {
  const how =
    killed === true ? "did not end in time" : `ended with ${JSON.stringify(code ?? "a signal")}`;
  return `its command "${program}" ${how}, expected the value and the exit code 0`;
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** A mistake of the operator's configuration: its text names the secret and never its value. */
export function invalidSecret(name: string, what: string, hint?: string): UsageError {
  const text = `Cannot use the secret "${name}": ${what}`;
  return new UsageError("invalid-secret", text, hint === undefined ? {} : { hint });
}
