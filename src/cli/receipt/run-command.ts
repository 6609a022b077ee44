/** Runs the command of a proof as a shell would: with our streams, and with the signals that we get. */

import { spawn } from "node:child_process";
import process from "node:process";
import type { Ending } from "../../sqlite/index.ts";

export interface CommandOptions {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where its results go: stdout is wanted for something else where JSON is printed. */
  readonly output: "stdout" | "stderr";
}

export interface CommandRun {
  readonly ending: Ending;
  /** Whether a signal came to us meanwhile. */
  readonly isInterrupted: boolean;
}

/**
 * The first signal is passed on, but for a Ctrl-C at a terminal, which the command has got as well; at the second, the command is
 * killed.
 */
export async function runCommand({
  words: [command = "", ...args],
  environment,
  output,
}: CommandOptions): Promise<CommandRun> {
  let isInterrupted = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    const isAtTerminal = signal === "SIGINT" && process.stdin.isTTY;
    if (isInterrupted) child.kill("SIGKILL");
    else if (!isAtTerminal) child.kill(signal);
    isInterrupted = true;
  };
  for (const name of signals) process.on(name, onSignal); // first: the command may have begun before spawn() returns
  const child = spawn(command, args, {
    stdio: ["inherit", output === "stdout" ? "inherit" : 2, "inherit"],
    env: environment,
  });
  const { promise, resolve } = Promise.withResolvers<Ending>();
  child.once("exit", (code, signal) => resolve({ code, signal, error: null }));
  child.once("error", (error: NodeJS.ErrnoException) =>
    resolve({ code: null, signal: null, error: describe(error) }),
  );
  try {
    return { ending: await promise, isInterrupted };
  } finally {
    for (const name of signals) process.off(name, onSignal);
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function describe({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return "there is no such command";
  if (code === "EACCES") return "it may not be executed";
  return message;
}
