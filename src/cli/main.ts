// The command line's entry: bin/genkan.js starts it.

import process from "node:process";
import { openScreen } from "./screen.ts";
import { readVersion } from "./package.ts";

const words = process.argv.slice(2);
const screen = openScreen({
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
});

if (words.length === 1 && words[0] === "--version") screen.print(`genkan ${readVersion()}`);
else {
  const { runProgram } = await import("./program.ts");
  process.exitCode = await runProgram(words, screen);
}
