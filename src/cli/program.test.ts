// What the program makes of a command line before any server is started.

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { readAll } from "../../fixtures/read-all.ts";
import { commandList } from "./command-list.ts";
import { runProgram } from "./program.ts";
import { openScreen } from "./screen.ts";

/** Command lines that are refused with 1, and what stderr must say. */
const refusals: readonly {
  readonly what: string;
  readonly words: readonly string[];
  readonly stderr: string | RegExp;
}[] = [
  {
    what: "an unknown command is a usage error that suggests another",
    words: ["tols"],
    stderr:
      /^Cannot run "genkan tols": unknown command 'tols', expected .+\n {2}hint: genkan tools\n$/,
  },
  {
    what: "an unknown option is a usage error that suggests another",
    words: ["tools", "--jsn"],
    stderr: /^Cannot run "genkan tools": unknown option '--jsn', expected .+\n {2}hint: --json\n$/,
  },
  {
    what: "an unknown era is a usage error that lists them",
    words: ["demo", "--era", "old"],
    stderr: /^Cannot run "genkan demo": .+, expected auto, legacy, modern\n/,
  },
  {
    what: "a missing tool is a usage error",
    words: ["call"],
    stderr: /^Cannot run "genkan call": missing required argument 'tool', expected genkan call /,
  },
  {
    what: "a forgotten -- is a usage error that shows where it belongs",
    words: ["tools", "node", "server.js"],
    stderr: /expected genkan tools \[options\] \[url\] -- <command\.\.\.>\n/,
  },
  {
    what: "a missing server is a usage error",
    words: ["call", "echo"],
    stderr: /^Cannot find the server: .+\n {2}hint: genkan call echo -- node server\.js\n$/,
  },
  {
    what: "a server where none is taken is a usage error",
    words: ["demo", "--", "node"],
    stderr: /^Cannot run "genkan demo": a command stands after --, expected none\n/,
  },
  {
    what: "bad JSON is a usage error that says where it stops being JSON",
    words: ["call", "echo", '{"a": 1,\n "b": oops}', "--", "node"],
    stderr:
      'Cannot read the arguments: "oops}" stands at line 2, column 7, expected a JSON value\n  hint: genkan call echo \'{"name":"value"}\' -- <command>\n',
  },
  {
    what: "arguments that are no object are a usage error",
    words: ["call", "echo", "[1]", "--", "node"],
    stderr: /^Cannot read the arguments: they are an array, expected a JSON object\n/,
  },
  {
    what: "a variable without a name is a usage error",
    words: ["tools", "--env", "TOKEN", "--", "node"],
    stderr: /^Cannot set the variable "TOKEN": .+\n {2}hint: --env TOKEN=value\n$/,
  },
  {
    what: "a timeout of 0 is a usage error",
    words: ["tools", "--timeout", "0", "--", "node"],
    stderr: /^Cannot wait "0": .+, expected one from 1 to 2147483647\n/,
  },
  {
    what: "an unknown revision is a usage error",
    words: ["tools", "--revision", "2020-01-01", "--", "node"],
    stderr: /^Cannot speak "2020-01-01": .+\n$/,
  },
  {
    what: "no command at all prints the help on stderr and is a usage error",
    words: [],
    stderr: /^Usage: genkan \[options\] \[command\]\n/,
  },
];

for (const { what, words, stderr: expected } of refusals) {
  test(what, async () => {
    const { code, stdout, stderr } = await run(words);
    assert.deepEqual([code, stdout], [1, ""]);
    if (typeof expected === "string") assert.equal(stderr, expected);
    else assert.match(stderr, expected);
  });
}

for (const [name, load] of Object.entries(commandList)) {
  test(`${name} --help begins with its usage and its summary`, async () => {
    const { summary } = await load();
    const { code, stdout, stderr } = await run([name, "--help"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.ok(stdout.startsWith(`Usage: genkan ${name} [options]`), stdout);
    assert.match(
      stdout.replaceAll(/\s+/g, " "),
      new RegExp(`${RegExp.escape(summary)} (Arguments|Options):`),
    );
  });
}

test("--help lists every command and every exit code", async () => {
  const { code, stdout } = await run(["--help"]);
  assert.equal(code, 0);
  for (const name of Object.keys(commandList)) assert.match(stdout, new RegExp(`^  ${name} `, "m"));
  const codes = [...stdout.matchAll(/^ {2}(\d+) +\S/gm)].map((match) => Number(match[1]));
  assert.deepEqual(codes, [0, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 70, 74, 130]);
});

test("help of a command below another is that command's own", async () => {
  for (const words of [
    ["help", "aio", "import"],
    ["aio", "import", "--help"],
  ]) {
    const { code, stdout } = await run(words);
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: genkan aio import /);
  }
  assert.match((await run(["help", "aio"])).stdout, /^Usage: genkan aio /);
});

test("what nobody foresaw is printed with its stack, and ends with 70", async () => {
  const broken = openScreen(streams());
  const screen = { ...broken, print: () => JSON.parse("bug") };
  let noted = "";
  const code = await runProgram(["--help"], { ...screen, note: (text) => (noted += text) });
  assert.equal(code, 70);
  assert.match(noted, /^This is a fault in Genkan: SyntaxError: .+\n {4}at /);
});

async function run(
  words: readonly string[],
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const { stdout, stderr, environment } = streams();
  const code = await runProgram(words, openScreen({ stdout, stderr, environment }));
  return { code, stdout: readAll(stdout), stderr: readAll(stderr) };
}

function streams() {
  return { stdout: new PassThrough(), stderr: new PassThrough(), environment: {} };
}
