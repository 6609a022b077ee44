/** The command line's entry: bin/genkan.js starts it. */

import process from "node:process";
import { exitCodes } from "./exit-codes.ts";
import { openScreen } from "./screen.ts";
import { readVersion } from "./package.ts";

const words = process.argv.slice(2);
let isLost = false;
const screen = openScreen({
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  onLost: () => {
    isLost = true;
    process.exitCode = exitCodes.output.code;
  },
});

// Asked for by scripts that look whether Genkan is there: commander and the commands would take most of the time.
if (words.length === 1 && words[0] === "--version") screen.print(`genkan ${readVersion()}`);
else void run();

async function run(): Promise<void> {
  const { runProgram } = await import("./program.ts");
  const code = await runProgram(words, screen);
  process.exitCode = isLost ? exitCodes.output.code : code;
  // What an operator's module has left open, a timer or a connection, does not keep the process once all is printed.
  process.stdout.write("", () => setTimeout(() => process.exit(), 500).unref());
}
