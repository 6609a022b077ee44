/** The options of every command that connects to a server, and what `connect()` makes of them. */

import { InvalidArgumentError, Option, type Command } from "commander";
import type { CommandTarget, ConnectOptions, UrlTarget } from "../../client/index.ts";
import { UsageError } from "../../protocol/index.ts";
import { addUrlFlags, isUrl, readUrlTarget, type UrlFlags } from "./url-target.ts";

export interface ServerFlags extends UrlFlags {
  readonly era: Era;
  readonly revision?: string;
  readonly timeout?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly verbose?: boolean;
}

export type Era = NonNullable<ConnectOptions["era"]>;

/** The two eras by the words people use, and leaving it to the server. */
const eras = { auto: "auto", legacy: "handshake", modern: "stateless" } as const;

export function addServerFlags(command: Command): Command {
  return addUrlFlags(addEraFlag(command))
    .option("--revision <date>", "speak this revision and no other, for instance 2025-06-18")
    .option(
      "--timeout <ms>",
      "how long connecting may take, and then each call (default: 30000 and 60000)",
      readTimeout,
    )
    .option("--env <name=value>", "a variable for the server; may be given again", addVariable)
    .option("--cwd <folder>", "where the server starts")
    .option("--verbose", "print every message, and what the server wrote on stderr, on stderr");
}

export function addEraFlag(command: Command): Command {
  return command.addOption(
    new Option("--era <era>", "legacy (initialize), modern (2026-07-28), or auto: ask the server")
      .choices(Object.keys(eras))
      .argParser(readEra)
      .default("auto"),
  );
}

/**
 * Reads the words after `--`, a command or a URL, and the options. Throws a `UsageError` (`no-server`) where there are no words.
 *
 * @param tell shows a line to the person
 */
export function readTarget(
  [command, ...args]: readonly string[],
  flags: ServerFlags,
  example: string,
  tell: (text: string) => void,
): CommandTarget | UrlTarget {
  const { env, cwd } = flags;
  if (isUrl(command) && args.length === 0) return readUrlTarget(command, flags, tell);
  if (command === undefined) {
    throw new UsageError(
      "no-server",
      `Cannot find the server: nothing stands after --, expected its command or URL`,
      {
        hint: `${example} -- node server.js`,
      },
    );
  }
  return {
    command,
    args,
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

export function readConnectOptions({
  era,
  revision,
  timeout,
}: Pick<ServerFlags, "era" | "revision" | "timeout">): ConnectOptions {
  return {
    era,
    ...(revision === undefined ? {} : { revision }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout, startTimeoutMs: timeout }),
  };
}

/** Takes the words of `connect()` too. */
function readEra(word: string): Era {
  const known = Object.entries(eras).find((words) => words.includes(word));
  if (known !== undefined) return known[1];
  throw new InvalidArgumentError(`Allowed choices are ${Object.keys(eras).join(", ")}.`);
}

function readTimeout(text: string): number {
  const ms = Number(text);
  if (/^\d+$/.test(text) && ms >= 1 && ms <= maxTimeoutMs) return ms;
  throw new UsageError(
    "bad-timeout",
    `Cannot wait ${JSON.stringify(text)}: it is no number of milliseconds to wait, expected one from 1 to ${maxTimeoutMs}`,
    { hint: "--timeout 5000" },
  );
}

/** The longest delay that Node's timers keep: a longer one would fire at once. */
const maxTimeoutMs = 2_147_483_647;

function addVariable(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  if (at > 0) return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
  throw new UsageError(
    "bad-variable",
    `Cannot set the variable ${JSON.stringify(text)}: there is no name before a =, expected NAME=value`,
    { hint: `--env ${/^\w+$/.test(text) ? text : "NAME"}=value` },
  );
}
