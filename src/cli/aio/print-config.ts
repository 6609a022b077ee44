/** Prints the entry by which a host starts `genkan aio`, and says where it goes. */

import { existsSync, realpathSync } from "node:fs";
import process from "node:process";
import { expectOneOf, toPrintable, UsageError } from "../../protocol/index.ts";
import type { Exit } from "../exit-codes.ts";
import type { Screen } from "../screen.ts";
import { hosts, type Start } from "./hosts.ts";

/** The name of the server in every host; some of them take `_` in one for the end of it. */
const serverName = "aio-probe";

/** @param words the words that `genkan` gets, with paths from the root */
export function printConfig(
  screen: Screen,
  hostName: string,
  words: readonly string[],
  database: string,
): Exit {
  const host = hosts.find(({ name }) => name === hostName);
  if (host === undefined) throw refuse(hostName);
  const start = findStart(words);
  screen.print(host.format(serverName, start));
  const [usual, ...others] = host.files(process.platform);
  const places = [usual, ...others].join(", or ");
  screen.note(
    `This is for ${host.title}: put it into ${places}. Beside other servers, add it to theirs.`,
  );
  if (!existsSync(database))
    screen.note(
      `There is no ${toPrintable(database, 500)} yet: the host cannot start it before there is one.`,
    );
  const odd = [start.command, ...start.args].find((text) => host.variable?.test(text) === true);
  if (odd !== undefined)
    screen.note(
      `${host.title} reads ${host.variable?.exec(odd)?.[0] ?? "$"} in ${toPrintable(odd, 500)} as a variable: give the file another name.`,
    );
  if (/[\\/]_npx[\\/]/.test(start.args[0] ?? ""))
    screen.note(
      "This Genkan was brought by npx and may be cleared away: install it, and print the entry again.",
    );
  return "ok";
}

/** This very Node with this very program: a host has another PATH than a shell. */
function findStart(words: readonly string[]): Start {
  const [, program = ""] = process.argv;
  return { command: process.execPath, args: [realpathSync(program), ...words] };
}

function refuse(hostName: string): UsageError {
  const names = hosts.map(({ name }) => name);
  const what = `Cannot print the entry for ${JSON.stringify(hostName.slice(0, 60))}: no such host is known, ${expectOneOf(hostName, names)}`;
  return new UsageError("unknown-host", what, { hint: `--print-config ${names.join("|")}` });
}
