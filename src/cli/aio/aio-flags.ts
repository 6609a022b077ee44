/** The options of `genkan aio`, and the words that say the same to another process. */

import { resolve } from "node:path";
import { Option, type Command } from "commander";
import { escapeJson, toPrintable, UsageError } from "../../protocol/index.ts";
import { hostOption } from "../hosts/host-option.ts";

export interface AioFlags {
  readonly db?: string;
  readonly state?: string;
  readonly buckets?: readonly string[];
  readonly limit?: Readonly<Record<string, number>>;
  readonly receipt?: string;
  readonly printConfig?: string;
}

export function addAioFlags(command: Command): Command {
  return command
    .option("--db <path>", "the database to serve")
    .option(
      "--state <folder>",
      "keep the audit log, traces and counts of calls in this folder (default: nothing is written anywhere)",
    )
    .option(
      "--buckets <a,b,c,d>",
      "the four buckets, in the order in which they are told (default: informational,commercial,transactional,navigational)",
      (text) => text.split(",").map((name) => name.trim()),
    )
    .option("--limit <name=value>", "a limit, downwards; may be given again", addLimit)
    .option(
      "--receipt <file>",
      "write a receipt of the database: begun before it is opened, finished after it is closed; see docs/receipt.md",
    )
    .option(...hostOption)
    .addOption(new Option("--database <path>").hideHelp().argParser(refuseDatabase));
}

/** Gives the words of a command line that serves the same, wherever it is started. */
export function toWords(
  database: string,
  { state, buckets, limit = {}, receipt }: AioFlags,
): readonly string[] {
  return [
    "aio",
    "--db",
    resolve(database),
    ...(state === undefined ? [] : ["--state", resolve(state)]),
    ...(buckets === undefined ? [] : ["--buckets", buckets.join(",")]),
    ...Object.entries(limit).flatMap(([name, value]) => ["--limit", `${name}=${value}`]),
    ...(receipt === undefined ? [] : ["--receipt", resolve(receipt)]),
  ];
}

/** Another name that people try. */
function refuseDatabase(path: string): never {
  const what = 'Cannot run "genkan aio": there is no option --database, expected --db';
  throw new UsageError("odd-option", what, { hint: hintAtDatabase(path) });
}

export function hintAtDatabase(path: string): string {
  return `genkan aio --db ${toPrintable(path, 500)}`;
}

function addLimit(
  text: string,
  before: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  const [, name, value] = /^(\w+)=(\d{1,15})$/.exec(text) ?? [];
  if (name !== undefined) return { ...before, [name]: Number(value) };
  const what = `Cannot set the limit ${escapeJson(JSON.stringify(text.slice(0, 60)))}: it has another form, expected name=value`;
  throw new UsageError("bad-limit", what, { hint: "--limit queryMs=1000" });
}
