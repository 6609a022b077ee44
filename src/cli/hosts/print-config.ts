/** Prints the entry by which a host starts a server of Genkan, and says where it goes. */

import { existsSync, realpathSync } from "node:fs";
import process from "node:process";
import { expectOneOf, toPrintable, UsageError } from "../../protocol/index.ts";
import type { Exit } from "../exit-codes.ts";
import type { Screen } from "../screen.ts";
import { hosts, type Start } from "./hosts.ts";

export interface EntryWish {
  /** As it was typed. */
  readonly host: string;
  /** What the server is called in the host. */
  readonly server: string;
  /** The words that `genkan` gets, with paths from the root. */
  readonly words: readonly string[];
  /** What is served, from the root. */
  readonly file: string;
  /** What else the person should know before the host starts it. */
  readonly remarks?: readonly string[];
}

/** Throws a `UsageError` for a host that is not known. */
export function printConfig(
  screen: Screen,
  { host: hostName, server, words, file, remarks = [] }: EntryWish,
): Exit {
  const host = hosts.find(({ name }) => name === hostName);
  if (host === undefined) throw refuse(hostName);
  const start = findStart(words);
  screen.print(host.format(toServerName(server), start));
  const [usual, ...others] = host.files(process.platform);
  const places = [usual, ...others].join(", or ");
  screen.note(
    `This is for ${host.title}: put it into ${places}. Beside other servers, add it to theirs.`,
  );
  if (!existsSync(file))
    screen.note(
      `There is no ${toPrintable(file, 500)} yet: the host cannot start it before there is one.`,
    );
  for (const remark of remarks) screen.note(remark);
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

/** Some hosts take only letters, digits and hyphens in a name, or `_` for the end of it. */
function toServerName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
  return plain === "" ? "genkan" : plain;
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
