/** Reads a command line, runs the command it names, and says how that ended. */

import process from "node:process";
import { Command, CommanderError } from "commander";
import { describeThrown, UsageError } from "../protocol/index.ts";
import type { CommandDefinition, Run } from "./command.ts";
import { loadCommands } from "./command-list.ts";
import { describeExitCodes, exitCodes, type Exit } from "./exit-codes.ts";
import { reportProblem } from "./report-problem.ts";
import type { Screen } from "./screen.ts";
import { readVersion } from "./package.ts";

/** Gives the exit code. Never rejects: a bug is printed with its stack, anything else as a sentence. */
export async function runProgram(words: readonly string[], screen: Screen): Promise<number> {
  let ending: Exit = "ok";
  try {
    refuseLostFolder();
    const [typed, serverWords] = splitWords(words);
    const own = toInnerHelp(typed);
    const run: Run = {
      screen,
      serverWords: serverWords ?? [],
      end: (exit) => {
        ending = exit;
      },
    };
    const definitions = await loadCommands(own[0]);
    refuseServerWords(definitions, own[0], serverWords);
    const program = buildProgram(definitions, run);
    await program.parseAsync(own, { from: "user" }).catch((thrown: unknown) => {
      if (!(thrown instanceof CommanderError)) throw thrown;
      ending = reportParser(thrown, program, own, screen);
    });
  } catch (thrown) {
    const { explainError } = await import("./explain-error.ts");
    const explanation = explainError(thrown, "connecting");
    ending = explanation?.exit ?? "bug";
    if (explanation === undefined)
      screen.note(`This is a fault in Genkan: ${describeThrown(thrown)}`);
    else reportProblem(screen, explanation);
  }
  return exitCodes[ending].code;
}

/** Makes commander's program of these commands. */
export function buildProgram(definitions: readonly CommandDefinition[], run: Run): Command {
  const program = new Command("genkan")
    .description(
      "An MCP toolkit: serve tools, call servers, diagnose them, and learn the protocol.",
    )
    .version(`genkan ${readVersion()}`, "--version", "print the version")
    .helpOption("--help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .enablePositionalOptions() // an option belongs to the command before it, also where one of the same name stands above
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => run.screen.print(text.trimEnd()),
      writeErr: (text) => run.screen.note(text.trimEnd()),
      outputError: () => {}, // thrown as well, and explained there
    })
    .addHelpText("after", `\n${describeExitCodes(Object.keys(exitCodes).filter(isExit))}`);
  for (const definition of definitions) {
    const { name, summary, takesServer, exits } = definition;
    const command = program
      .command(name)
      .description(summary)
      .helpOption("--help", "print this help");
    definition.define(command, run);
    if (takesServer) command.usage(`${command.usage()} -- <command...>`);
    command.addHelpText("after", `\n${describeExitCodes(exits)}`);
  }
  return program;
}

/** Cuts at the first `--`: what follows belongs to the server, and commander would mix it with the arguments. */
function splitWords(
  words: readonly string[],
): readonly [own: readonly string[], serverWords: readonly string[] | undefined] {
  const at = words.indexOf("--");
  return at === -1 ? [words, undefined] : [words.slice(0, at), words.slice(at + 1)];
}

/** `help aio import` is `aio import --help`: commander finds the help of the first word alone. */
function toInnerHelp(words: readonly string[]): readonly string[] {
  return words[0] === "help" && words.length > 2 ? [...words.slice(1), "--help"] : words;
}

/** Of a working directory that was removed Node says so in the midst of whatever asks for it first. */
function refuseLostFolder(): void {
  try {
    process.cwd();
  } catch (cause) {
    const what =
      "Cannot run genkan: the working directory is not there any more, expected one that is";
    throw new UsageError("no-working-directory", what, {
      cause,
      hint: "cd /a/folder/that/is/there",
    });
  }
}

function refuseServerWords(
  [definition]: readonly CommandDefinition[],
  name: string | undefined,
  serverWords: readonly string[] | undefined,
): void {
  if (
    serverWords === undefined ||
    definition === undefined ||
    definition.name !== name ||
    definition.takesServer
  )
    return;
  throw new UsageError(
    "no-server-taken",
    `Cannot run "genkan ${name}": a command stands after --, expected none`,
    { hint: `genkan ${name}` },
  );
}

/** Puts what commander refuses into this house's words; help and the version end a command the same way, and well. */
function reportParser(
  { code, message, exitCode }: CommanderError,
  program: Command,
  words: readonly string[],
  screen: Screen,
): Exit {
  if (code.startsWith("commander.help") || code === "commander.version")
    return exitCode === 0 ? "ok" : "usage";
  const [first = "", suggestion = ""] = message
    .replace(/^error: /, "")
    .replace(/\. Allowed choices are (.+)\.$/, ", expected $1")
    .replace(/ for '\w+'\. Expected (\d+) arguments? but got \d+: .+\.$/, " ($1 at most)")
    .split("\n");
  const near = /Did you mean (?:one of )?([^?,]+)/.exec(suggestion)?.[1];
  const [name, command] = findCommand(program, words);
  if (command === undefined) {
    const expected = program.commands.map((each) => each.name()).join(", ");
    const text = `Cannot run "genkan ${words[0] ?? ""}": ${first}, expected ${expected}`;
    reportProblem(screen, { text, hint: `genkan ${near ?? "--help"}` });
    return "usage";
  }
  const expected = first.includes(", expected ")
    ? ""
    : `, expected genkan ${name} ${command.usage()}`;
  const text = `Cannot run "genkan ${name}": ${first}${expected}`;
  reportProblem(screen, { text, hint: near ?? `genkan ${name} --help` });
  return "usage";
}

/** Finds the command that the first words name, and the one below it that a later word does. */
function findCommand(
  program: Command,
  [first, ...others]: readonly string[],
): readonly [name: string, command: Command | undefined] {
  const command = program.commands.find((each) => each.name() === first);
  const inner = command?.commands.find((each) => others.includes(each.name()));
  return inner === undefined ? [first ?? "", command] : [`${first} ${inner.name()}`, inner];
}

function isExit(name: string): name is Exit {
  return Object.hasOwn(exitCodes, name);
}
