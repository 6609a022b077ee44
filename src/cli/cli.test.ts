// The command line as scripts see it: real processes, their exit codes, and what stands on which stream.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, test } from "node:test";
import { crookedBy, finish, genkan, shop, startGenkan } from "../../fixtures/command-line.ts";

const echo = ["call", "echo", '{"text":"hi"}'] as const;

/** Each ending by the words that reach it, the lines of stdout, and what stderr must say; an empty text is nothing at all. */
const endings: readonly {
  readonly what: string;
  readonly words: readonly string[];
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string | RegExp;
  readonly input?: string;
}[] = [
  {
    what: "a good call ends with 0 and prints the text alone",
    words: ["call", "count_orders", '{"status":"paid"}', "--", ...shop],
    code: 0,
    stdout: '{"count":21}\n',
    stderr: "",
  },
  {
    what: "a call may do without arguments",
    words: ["call", "count_orders", "--", ...shop],
    code: 0,
    stdout: '{"count":300}\n',
    stderr: "",
  },
  {
    what: "- reads the arguments from stdin",
    words: ["call", "count_orders", "-", "--", ...shop],
    input: '{"status":\n"paid"}\n',
    code: 0,
    stdout: '{"count":21}\n',
    stderr: "",
  },
  {
    what: "--env reaches the server",
    words: [...echo, "--env", "CROOKED_TOKEN=a=b", "--", ...crookedBy("needs-environment")],
    code: 0,
    stdout: "hi\n",
    stderr: "",
  },
  ...["legacy", "handshake"].map((era) => ({
    what: `--era ${era} opens by initialize`,
    words: [...echo, "--era", era, "--", ...crookedBy("legacy-only")],
    code: 0,
    stdout: "hi\n",
    stderr: "",
  })),
  ...["modern", "stateless"].map((era) => ({
    what: `--era ${era} opens by server/discover`,
    words: [...echo, "--era", era, "--", ...crookedBy("legacy-only")],
    code: 2,
    stdout: "",
    stderr: /expected a stateless server\n/,
  })),
  {
    what: "--revision is spoken",
    words: [...echo, "--revision", "2024-11-05", "--", ...crookedBy("version-refused")],
    code: 0,
    stdout: "hi\n",
    stderr: "",
  },
  {
    what: "a tool's own error ends with 4, its text on stdout",
    words: ["call", "count_orders", '{"status":"lost"}', "--", ...shop],
    code: 4,
    stdout:
      'Unknown status "lost", expected one of: pending, paid, shipped, delivered, cancelled, returned\n',
    stderr: 'The tool "count_orders" failed: its result has isError\n',
  },
  {
    what: "an error of the server ends with 3, its code, name and message on stderr",
    words: ["call", "no_such_tool", "--", ...shop],
    code: 3,
    stdout: "",
    stderr: /^Cannot call .+: the server answered with the error -32602 \(InvalidParams\): .+\n$/,
  },
  {
    what: "a server that breaks the protocol ends with 3",
    words: [...echo, "--", ...crookedBy("result-and-error")],
    code: 3,
    stdout: "",
    stderr: /^Cannot call .+its reply is faulty.+\n$/,
  },
  {
    what: "a call without a reply in time ends with 5",
    words: ["call", "slow", '{"ms":30000}', "--timeout", "2500", "--", ...crookedBy()],
    code: 5,
    stdout: "",
    stderr: /^Cannot call .+: no reply within \d+ ms, expected a result or an error\n$/,
  },
  {
    what: "a command that does not exist ends with 2",
    words: ["tools", "--", "genkan-no-such-command"],
    code: 2,
    stdout: "",
    stderr:
      /^Cannot connect to "genkan-no-such-command": .+\n {2}hint: command -v genkan-no-such-command\n$/,
  },
  {
    what: "a server that exits ends with 2, its last words quoted",
    words: ["tools", "--", ...crookedBy("exit-before-reply")],
    code: 2,
    stdout: "",
    stderr: /^Cannot connect to .+exited with code 3.+Cannot find module 'left-pad'.+\n$/,
  },
  {
    what: "a hint of the client is said in the words of a shell",
    words: ["tools", "--era", "modern", "--", ...crookedBy("legacy-only")],
    code: 2,
    stdout: "",
    stderr: /^Cannot connect to .+\n {2}hint: --era auto\n$/,
  },
];

const help = `Usage: genkan call [options] [url] <tool> [json] -- <command...>

Calls a tool of a server and prints what it gives.

Arguments:
  tool                   the tool's name; genkan tools lists them
  json                   its arguments, a JSON object; - reads them from stdin
  more                   with a URL before the tool's name, its arguments

Options:
  --json                 print the whole result as JSON
  --era <era>            legacy (initialize), modern (2026-07-28), or auto: ask
                         the server (choices: "auto", "legacy", "modern",
                         default: "auto")
  --header <name:value>  a header for a server at a URL; may be given again
  --token-env <name>     the variable that holds the bearer token for a URL
  --token-file <path>    the file that holds the bearer token for a URL
  --login                log in at a URL in the browser; the tokens are kept for
                         the next time
  --revision <date>      speak this revision and no other, for instance
                         2025-06-18
  --timeout <ms>         how long connecting may take, and then each call
                         (default: 30000 and 60000)
  --env <name=value>     a variable for the server; may be given again
  --cwd <folder>         where the server starts
  --verbose              print every message, and what the server wrote on
                         stderr, on stderr
  --help                 print this help

Examples:
  genkan call count_orders '{"status":"paid"}' -- node server.js
  genkan call list_items - --json -- npx -y some-server < arguments.json
  genkan call https://example.com/mcp count_orders '{"status":"paid"}'

Exit codes:
  0    done
  1    the command line is wrong
  2    the server could not be started, or no connection to it made
  3    the server answered with an error, or broke the protocol
  4    the tool ran and failed
  5    no reply in time
  130  interrupted by Ctrl-C
`;

describe("genkan", { concurrency: 4 }, () => {
  for (const { what, words, input, ...expected } of endings) {
    test(what, async () => {
      const ending = await finish(
        startGenkan({ words, ...(input === undefined ? {} : { input }) }),
      );
      assert.equal(ending.code, expected.code, ending.stderr);
      assert.equal(ending.stdout, expected.stdout);
      if (typeof expected.stderr === "string") assert.equal(ending.stderr, expected.stderr);
      else assert.match(ending.stderr, expected.stderr);
      assert.doesNotMatch(ending.stderr, /^ {4}at /m);
    });
  }

  test("call --help prints the help", async () => {
    assert.deepEqual(await genkan("call", "--help"), { code: 0, stdout: help, stderr: "" });
  });

  test("call --json prints the whole result as one document", async () => {
    const { code, stdout } = await genkan(
      "call",
      "count_orders",
      "--json",
      "--era",
      "legacy",
      "--",
      ...shop,
    );
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), {
      content: [{ type: "text", text: '{"count":300}' }],
      structuredContent: { count: 300 },
    });
  });

  test("tools --json prints the whole list as one document", async () => {
    const { code, stdout, stderr } = await genkan("tools", "--json", "--", ...shop);
    assert.deepEqual([code, stderr], [0, ""]);
    const names = JSON.parse(stdout).map((tool: { name: string }) => tool.name);
    assert.deepEqual(names, ["count_orders", "list_statuses", "find_orders"]);
  });

  test("tools prints what each tool takes", async () => {
    const { stdout } = await genkan("tools", "--", ...shop);
    assert.equal(
      stdout,
      `count_orders
  Counts the orders, all of them or those with one status.
    status  string  optional  One of: pending, paid, shipped, delivered, cancelled, returned

list_statuses
  Lists every status an order can have, with the number of orders that have it.

find_orders
  Finds orders by a part of the customer's name, newest first.
    customer  string   required
    limit     integer  optional
`,
    );
  });

  test("--verbose prints the messages on stderr and leaves stdout alone", async () => {
    const { stdout, stderr } = await genkan(
      ...echo,
      "--verbose",
      "--",
      ...crookedBy("banner-first"),
    );
    assert.equal(stdout, "hi\n");
    assert.match(stderr, /^→ request 1 · server\/discover$/m);
    assert.match(stderr, /^← not one message: .+$/m);
    assert.match(stderr, /^← result 2 · tools\/call echo$/m);
  });

  test("what a terminal would act upon does not reach stdout", async () => {
    const text = "a\u001B[31mb\u001B]0;title\u0007c\u0007\td\r\ne";
    const words = ["call", "echo", JSON.stringify({ text }), "--", ...crookedBy()];
    const { stdout } = await genkan(...words);
    assert.equal(stdout, "abc\\x07\td\r\ne\n");
    const whole = await genkan(...words.toSpliced(3, 0, "--json"));
    assert.doesNotMatch(whole.stdout, /[^\P{Cc}\n]/u);
    assert.equal(JSON.parse(whole.stdout).content[0].text, text);
  });

  test("a reader that has gone is no error", async () => {
    const child = startGenkan({ words: ["tools", "--json", "--", ...crookedBy("tools-many")] });
    child.stdout.once("data", () => child.stdout.destroy());
    const { code, stderr } = await finish(child);
    assert.deepEqual([code, stderr], [0, ""]);
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    test(
      `${signal} ends the server, then the command, with 130`,
      { skip: !existsSync("/proc") },
      async () => {
        const child = startGenkan({
          words: ["call", "slow", '{"ms":30000}', "--verbose", "--", ...crookedBy()],
        });
        const ending = finish(child);
        const server = await untilServerIsCalled(child);
        child.kill(signal);
        const { code, stdout, stderr } = await ending;
        assert.deepEqual([code, stdout], [130, ""]);
        assert.match(stderr, /notifications\/cancelled/); // the server is told
        assert.equal(isRunning(server), false);
      },
    );
  }

  test("a second SIGINT ends a server that stays", { skip: !existsSync("/proc") }, async () => {
    const words = [
      "call",
      "slow",
      '{"ms":30000}',
      "--verbose",
      "--",
      ...crookedBy("ignores-end-and-sigterm"),
    ];
    const child = startGenkan({ words });
    const ending = finish(child);
    const server = await untilServerIsCalled(child);
    child.kill("SIGINT");
    await sleep(200);
    child.kill("SIGINT");
    const { code } = await ending;
    assert.equal(code, 130);
    while (isRunning(server)) await sleep(20); // the signal is sent, and taken a moment later
  });
});

/** Waits until `--verbose` shows the call, and gives the process id of the server. */
async function untilServerIsCalled(child: ReturnType<typeof startGenkan>): Promise<number> {
  let shown = "";
  await new Promise<void>((resolve) => {
    child.stderr.on("data", (piece: string) => {
      shown += piece;
      if (shown.includes("tools/call slow")) resolve();
    });
  });
  const { pid } = child;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());
}

/** A killed process whose parent has gone may stay as a zombie where nobody collects it. */
function isRunning(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "latin1") : "";
  return stat !== "" && !/\) [ZX] /.test(stat);
}
