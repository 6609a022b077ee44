// `genkan aio` as operators and hosts use it: real processes, real files, and the bytes on the wire.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { finish, genkan, genkanWords, startGenkan } from "../../../fixtures/command-line.ts";
import {
  dataForSeoAnswer,
  dataForSeoTask,
  serpApiOverview,
  serpApiPage,
} from "../../../fixtures/result-pages.ts";
import { createSample } from "../../aio/index.ts";
import { connect, type Client } from "../../index.ts";
import { hosts } from "../hosts/hosts.ts";

const tools = ["list_runs", "compare_buckets", "get_keyword_evidence"];

/** A folder of its own, with the sample in it as if somebody had seen all that. */
async function openDesk(name = "aio.db") {
  const folder = mkdtempSync(join(tmpdir(), "genkan-aio-"));
  const path = join(folder, name);
  await createSample(path, { runs: 7, keywords: 60 });
  {
    using database = new DatabaseSync(path);
    database.exec("PRAGMA application_id = 0"); // else no import goes into it
  }
  return {
    folder,
    path,
    put: (file: string, value: unknown): string => {
      writeFileSync(join(folder, file), typeof value === "string" ? value : JSON.stringify(value));
      return join(folder, file);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** Starts the server of an entry, as a host does. */
function start(
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  return connect({ command, args, env });
}

async function ask(
  client: Client,
  name: string,
  args: object = {},
): Promise<Record<string, unknown>> {
  const { structuredContent } = await client.callTool(name, { ...args });
  assert.partialDeepStrictEqual(structuredContent, { ok: true });
  return (structuredContent as { data: Record<string, unknown> }).data;
}

/** Everything in a folder: its files with their bytes, times and inodes. */
function takeCensus(folder: string): object {
  const names = globSync("**/*", { cwd: folder, exclude: [] }).toSorted();
  return names.map((name) => {
    const { ino, size, mtimeNs, ctimeNs } = statSync(join(folder, name), { bigint: true });
    const isFile = statSync(join(folder, name)).isFile();
    return [name, ino, size, mtimeNs, ctimeNs, isFile && readFileSync(join(folder, name), "hex")];
  });
}

test(
  "what stands in files and their names does not act upon a terminal",
  { skip: process.platform === "win32" },
  async () => {
    const odd = "\u001B[31m\u009B0m\u007F";
    using desk = await openDesk(`${odd}.db`);
    const page = desk.put("a.json", serpApiPage({ parameters: { device: odd, location: odd } }));
    const other = desk.put(`${odd}.json`, serpApiPage({ q: odd }));
    const faulty = desk.put(`${odd}2.json`, "{}");
    const csv = desk.put(`${odd}.csv`, `a,${odd},c`);
    const fresh = join(desk.folder, "new.db");
    await genkan("aio", "import", fresh, page);
    const strange = join(desk.folder, `${odd}3.db`);
    {
      using database = new DatabaseSync(strange);
      database.exec(
        `CREATE TABLE runs (id INTEGER, "${odd}" TEXT); CREATE VIEW keywords AS SELECT 1`,
      );
    }
    {
      using database = new DatabaseSync(desk.path);
      database.exec("DROP INDEX runs_by_end");
    }
    for (const words of [
      ["import", desk.path, page, other, faulty],
      ["import", fresh, other, "--run", "1"],
      ["import", fresh, faulty],
      ["import", fresh, other, "--bucket", odd],
      ["import", fresh, other, "--buckets", csv],
      ["import", strange, other],
      ["import", join(desk.folder, odd, odd), other],
      ["sample", desk.path],
      ["sample", join(desk.folder, odd, odd)],
      ["sample", "x.db", "--runs", odd],
      ["--db", strange],
      ["--db", desk.path],
      ["--db", desk.folder + odd],
      ["--db", desk.path, "--limit", odd],
      ["--db", desk.path, "--limit", `${odd}=1`],
      ["--db", desk.path, "--buckets", odd],
      ["--db", desk.path, "--print-config", odd],
      [odd],
    ]) {
      const { stdout, stderr } = await genkan("aio", ...words);
      assert.doesNotMatch(stdout + stderr, /(?!\n)\p{Cc}/u, words[0]);
    }
  },
);

describe("genkan aio --db", { concurrency: 2 }, () => {
  test("serves exactly the three tools, all of them read-only, and writes nothing anywhere", async () => {
    using desk = await openDesk();
    const temporary = join(desk.folder, "tmp");
    mkdirSync(temporary);
    const before = takeCensus(desk.folder);
    const client = await start(genkanWords(["aio", "--db", desk.path]), { TMPDIR: temporary });
    const listed = await client.listTools();
    assert.deepEqual(
      listed.map(({ name }) => name),
      tools,
    );
    for (const { annotations } of listed)
      assert.partialDeepStrictEqual(annotations, {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    const runs = await ask(client, "list_runs");
    assert.partialDeepStrictEqual(runs, { total: 7, default_run_id: 5 });
    const compared = await ask(client, "compare_buckets");
    assert.partialDeepStrictEqual(compared, { run: { run_id: 5 } });
    const evidence = await ask(client, "get_keyword_evidence", {
      keyword: "how to clean a kettle",
    });
    assert.doesNotMatch(JSON.stringify(evidence), /raw\/|proxy-3|secret@|utm_source/);
    assert.equal(client.report().stderrTail, "");
    const closed = await client.close();
    assert.equal(closed.kind === "process" && closed.exitCode, 0);
    assert.deepEqual(takeCensus(desk.folder), before);
  });

  test("speaks as hosts of 2024 do, one line for each reply, and nothing else on stdout", async () => {
    using desk = await openDesk();
    const lines = [
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"wire","version":"1"}}}',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"list_runs","arguments":{"limit":1}}}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"delete_run","arguments":{}}}',
    ];
    const input = `${lines.join("\n")}\n`;
    const { code, stdout, stderr } = await finish(
      startGenkan({ words: ["aio", "--db", desk.path], input }),
    );
    assert.deepEqual([code, stderr], [0, ""]);
    const replies = stdout.trimEnd().split("\n");
    assert.equal(replies.length, 3);
    const [opened, called, refused] = ["1", '"two"', "3"].map(
      (id) => replies.find((line) => line.includes(`"id":${id},`)) ?? assert.fail(id),
    );
    assert.match(
      opened!,
      /^\{"jsonrpc":"2\.0","id":1,"result":\{"protocolVersion":"2024-11-05",.+"name":"aio-probe"/,
    );
    const { content } = JSON.parse(called!).result;
    assert.partialDeepStrictEqual(JSON.parse(content[0].text), {
      ok: true,
      data: { count: 1, total: 7 },
    });
    assert.match(refused!, /^\{"jsonrpc":"2\.0","id":3,"error":\{"code":-32602,/);
  });

  test("--state keeps what was asked, for people", async () => {
    using desk = await openDesk();
    const state = join(desk.folder, "state");
    {
      await using client = await start(genkanWords(["aio", "--db", desk.path, "--state", state]));
      await ask(client, "compare_buckets", { run_id: 1 });
    }
    const [audit, trace] = await Promise.all([
      genkan("audit", "--state", state, "--json"),
      genkan("trace", "--state", state, "--json"),
    ]);
    const records = audit.stdout.trimEnd().split("\n");
    assert.match(records.at(-1)!, /"tool":"compare_buckets"/);
    assert.partialDeepStrictEqual(JSON.parse(trace.stdout), {
      tool: "compare_buckets",
      door: "aio",
      code: "ok",
    });
  });

  test("--buckets names other buckets, and --limit goes downwards", async () => {
    using desk = await openDesk();
    const words = [
      "aio",
      "--db",
      desk.path,
      "--buckets",
      "a, informational,c,d",
      "--limit",
      "queryMs=4000",
      "--limit",
      "queue=3",
    ];
    await using client = await start(genkanWords(words));
    const { buckets } = await ask(client, "compare_buckets");
    assert.deepEqual(
      (buckets as { bucket: string }[]).map(({ bucket }) => bucket),
      ["a", "informational", "c", "d"],
    );
  });

  /** Ways not to start, each with what stderr says; stdout stays empty, for it belongs to the protocol. */
  const failures: readonly (readonly [
    what: string,
    words: (folder: string) => readonly string[],
    stderr: RegExp,
  ])[] = [
    [
      "no database",
      () => [],
      /^Cannot serve nothing: no database is named, expected --db\n {2}hint: genkan aio sample/,
    ],
    [
      "a path where nothing is",
      (folder) => ["--db", join(folder, "none.db")],
      /^Cannot open ".+none\.db": there is no such file, expected a SQLite database$/m,
    ],
    ["a directory", (folder) => ["--db", folder], /^Cannot open ".+": it is a directory/m],
    [
      "a file of text",
      (folder) => ["--db", join(folder, "text.db")],
      /^Cannot open ".+text\.db": it is no SQLite database/m,
    ],
    [
      "an empty file",
      (folder) => ["--db", join(folder, "empty.db")],
      /^Cannot open ".+empty\.db": it is empty/m,
    ],
    [
      "a link to elsewhere",
      (folder) => ["--db", join(folder, "other", "link.db")],
      /^Cannot open ".+link\.db": it leads out of the folder/m,
    ],
    [
      "three buckets",
      (folder) => ["--db", join(folder, "aio.db"), "--buckets", "a,b,c"],
      /^Cannot compare the buckets \["a","b","c"\]: expected four different names/m,
    ],
    [
      "a limit upwards",
      (folder) => ["--db", join(folder, "aio.db"), "--limit", "queryMs=6000"],
      /^Cannot use the limit "queryMs": it is 6000, expected a whole number from 1 to 5000/m,
    ],
    [
      "an unknown limit",
      (folder) => ["--db", join(folder, "aio.db"), "--limit", "queryms=1"],
      /^Cannot use the limit "queryms": there is no such limit/m,
    ],
    [
      "a limit of another form",
      (folder) => ["--db", join(folder, "aio.db"), "--limit", "queryMs"],
      /^Cannot set the limit "queryMs": it has another form, expected name=value$/m,
    ],
    [
      "a database without --db",
      () => ["aio.db"],
      /^Cannot run "genkan aio aio\.db": there is no such command, .+\n {2}hint: genkan aio --db aio\.db$/m,
    ],
    [
      "a database by another option",
      () => ["--database", "aio.db"],
      /^Cannot run "genkan aio": there is no option --database, expected --db\n {2}hint: genkan aio --db aio\.db$/m,
    ],
    [
      "a word that is no command",
      (folder) => ["--db", join(folder, "aio.db"), "smple"],
      /^Cannot run "genkan aio smple": there is no such command, did you mean "sample"\?$/m,
    ],
  ];
  for (const [what, words, stderr] of failures) {
    test(`does not start for ${what}`, async () => {
      using desk = await openDesk();
      desk.put("text.db", "no database ".repeat(100));
      desk.put("empty.db", "");
      mkdirSync(join(desk.folder, "other"));
      symlinkSync(desk.path, join(desk.folder, "other", "link.db"));
      const ending = await genkan("aio", ...words(desk.folder));
      assert.deepEqual([ending.code, ending.stdout], [1, ""], ending.stderr);
      assert.match(ending.stderr, stderr);
    });
  }

  test("a database without the tables is refused by all that it lacks, a line for each; so it is told with the entry for a host", async () => {
    using desk = await openDesk();
    {
      using database = new DatabaseSync(desk.path);
      database.exec("ALTER TABLE observations RENAME TO other; DROP TABLE citations");
    }
    const lines = `Cannot use "${desk.path}":\n  there is no table "observations", expected one\n  there is no table "citations", expected one\n`;
    assert.deepEqual(await genkan("aio", "--db", desk.path), {
      code: 1,
      stdout: "",
      stderr: `${lines}  hint: docs/aio-probe.md has the schema; for tables of another shape, declare tools with kind: sqlite (docs/sqlite.md)\n`,
    });
    const entry = await genkan("aio", "--db", desk.path, "--print-config", "cursor");
    assert.equal(entry.code, 0);
    assert.ok(entry.stderr.endsWith(`\nThe host cannot start it as it is: ${lines}`), entry.stderr);
  });
});

/** What a host finds in its file: the command, and its arguments. */
interface Entry {
  readonly type?: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** How each host reads its file; the entry is called `aio-probe`. */
const readers: Readonly<Record<string, (text: string) => Entry>> = {
  "claude-desktop": (text) => JSON.parse(text).mcpServers["aio-probe"],
  "claude-code": (text) => JSON.parse(text).mcpServers["aio-probe"],
  vscode: (text) => JSON.parse(text).servers["aio-probe"],
  cursor: (text) => JSON.parse(text).mcpServers["aio-probe"],
  codex: readToml,
  "gemini-cli": (text) => JSON.parse(text).mcpServers["aio-probe"],
};

/** Reads one table of strings and lists of strings, whose escapes are JSON's, as the grammar of TOML 1.0 has them. */
function readToml(text: string): Entry {
  const basicString = String.raw`"(?:[^"\\\u0000-\u001F\u007F]|\\[btnfr"\\]|\\u[0-9a-fA-F]{4})*"`;
  const list = String.raw`\[\n(?:  ${basicString},\n)*\]`;
  const grammar = new RegExp(
    String.raw`^\[mcp_servers\.([A-Za-z0-9_-]+)\]\ncommand = (${basicString})\nargs = (${list})\n$`,
    "u",
  );
  const [, name, command = "", args = ""] = grammar.exec(text) ?? assert.fail(text);
  assert.equal(name, "aio-probe");
  return { command: JSON.parse(command), args: JSON.parse(args.replace(/,\n\]$/, "]")) };
}

describe("genkan aio --print-config", { concurrency: 2 }, () => {
  const odd = "a \"b\" \\c 'd' 茶 %41#?\u007F\u0085\t\n[e]=.db";
  for (const [host, read] of Object.entries(readers)) {
    test(`gives ${host} an entry that starts, whatever the path`, async () => {
      using desk = await openDesk(odd);
      const options = ["--limit", "queryMs=1000", "--buckets", "a,b,c,d"];
      const { code, stdout, stderr } = await genkan(
        "aio",
        "--db",
        desk.path,
        ...options,
        "--print-config",
        host,
      );
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^This is for [A-Z].+: put it into .+\n$/);
      const { type, command, args } = read(stdout);
      assert.equal(type, ["claude-code", "vscode", "cursor"].includes(host) ? "stdio" : undefined);
      assert.deepEqual([command, args[0]], genkanWords([]));
      assert.equal(args[3], resolve(desk.path));
      await using client = await start([command, ...args]);
      assert.deepEqual(
        (await client.listTools()).map(({ name }) => name),
        tools,
      );
    });
  }

  test("the README names every host", () => {
    const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
    assert.deepEqual(
      hosts.map(({ name }) => name),
      Object.keys(readers),
    );
    for (const { name, title } of hosts)
      assert.ok(readme.includes(title) && readme.includes(`\`${name}\``), name);
  });

  test("paths are from the root, wherever it was typed", async () => {
    using desk = await openDesk();
    const [command = "", ...args] = genkanWords([
      "aio",
      "--db",
      "aio.db",
      "--state",
      "s",
      "--print-config",
      "vscode",
    ]);
    const child = spawn(command, args, {
      cwd: desk.folder,
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    });
    const { stdout } = await finish(child);
    assert.deepEqual(readers["vscode"]!(stdout).args.slice(1), [
      "aio",
      "--db",
      desk.path,
      "--state",
      join(desk.folder, "s"),
    ]);
    assert.equal(existsSync(join(desk.folder, "s")), false);
  });

  test("an unknown host is told the nearest, or all", async () => {
    using desk = await openDesk();
    const near = await genkan("aio", "--db", desk.path, "--print-config", "vscod");
    assert.deepEqual([near.code, near.stdout], [1, ""]);
    assert.equal(
      near.stderr,
      'Cannot print the entry for "vscod": no such host is known, did you mean "vscode"?\n  hint: --print-config claude-desktop|claude-code|vscode|cursor|codex|gemini-cli\n',
    );
    const far = await genkan("aio", "--db", desk.path, "--print-config", "emacs");
    assert.match(
      far.stderr,
      /expected one of claude-desktop, claude-code, vscode, cursor, codex, gemini-cli\n/,
    );
  });

  test("a path that a host would take for a variable is told, and so is a database that is not there", async () => {
    const path = join(tmpdir(), "genkan-${HOME}.db");
    const [gemini, codex] = await Promise.all(
      ["gemini-cli", "codex"].map((host) => genkan("aio", "--db", path, "--print-config", host)),
    );
    assert.match(
      gemini!.stderr,
      /^Gemini CLI reads \$\{HOME\} in .+ as a variable: give the file another name\.$/m,
    );
    assert.match(gemini!.stderr, /^There is no .+ yet/m);
    assert.doesNotMatch(codex!.stderr, /variable/);
  });
});

describe("genkan aio sample", () => {
  test("makes what it says, in text and JSON, and overwrites nothing", async () => {
    using desk = await openDesk();
    const path = join(desk.folder, "new.db");
    const made = await genkan("aio", "sample", path, "--runs", "3", "--keywords", "20");
    assert.deepEqual(made, {
      code: 0,
      stdout: `Made ${path}: 3 runs, 20 keywords, 29 observations\n`,
      stderr: "",
    });
    const again = await genkan("aio", "sample", path);
    assert.deepEqual([again.code, again.stdout], [1, ""]);
    assert.match(
      again.stderr,
      /^Cannot make the database ".+": ".+" is there already, expected a free path\n/,
    );
    const json = await genkan(
      "aio",
      "sample",
      join(desk.folder, "json.db"),
      "--runs",
      "1",
      "--keywords",
      "1",
      "--json",
    );
    assert.deepEqual(JSON.parse(json.stdout), { runs: 1, keywords: 1, observations: 1 });
  });

  for (const [words, stderr] of [
    [
      ["--runs", "many"],
      /^Cannot take "many" for a number: it has another form, expected digits\n/,
    ],
    [
      ["--runs", "1001"],
      /^Cannot make a sample of 1001 runs, expected a whole number from 1 to 1000\n/,
    ],
    [
      ["more"],
      /^Cannot run "genkan aio sample": too many arguments \(1 at most\), expected genkan aio sample \[options\] <path>\n/,
    ],
  ] as const) {
    test(`refuses ${words.join(" ")}`, async () => {
      const path = join(tmpdir(), "genkan-never.db");
      const ending = await genkan("aio", "sample", path, ...words);
      assert.deepEqual([ending.code, ending.stdout, existsSync(path)], [1, "", false]);
      assert.match(ending.stderr, stderr);
    });
  }

  test("an option of the server before it is no silent word", async () => {
    const { code, stderr } = await genkan("aio", "--db", "a.db", "sample", "b.db");
    assert.equal(code, 1);
    assert.match(stderr, /^Cannot run "genkan aio sample": --db stands before sample, /);
  });
});

describe("genkan aio import", () => {
  test("makes a run of what it can take, names what it cannot, and ends with 9", async () => {
    using desk = await openDesk();
    const path = join(desk.folder, "own.db");
    const good = desk.put("good.json", serpApiPage({ overview: serpApiOverview }));
    const unknown = desk.put(
      "unknown.json",
      serpApiPage({ q: "a\u001B[31mb", overview: { page_token: "t" } }),
    );
    const bad = desk.put("bad.json", "{");
    const { code, stdout, stderr } = await genkan("aio", "import", path, good, bad, good, unknown);
    assert.deepEqual(
      [code, stdout],
      [
        9,
        `Run 1 of ${path}: 2 pages, 1 with an AI Overview, 0 without, 1 where that is not known\n`,
      ],
    );
    assert.deepEqual(stderr.trimEnd().split("\n"), [
      `Skipped ${good}: it is the same as "${good}"`,
      `${unknown}: whether there is an AI Overview for "ab" is not known: the AI Overview was announced by a page_token and not fetched`,
      `Cannot import "${bad}": it is no JSON, expected a page of results`,
    ]);
    await using client = await start(genkanWords(["aio", "--db", path]));
    assert.partialDeepStrictEqual(
      await ask(client, "get_keyword_evidence", { keyword: "green tea" }),
      {
        outcome: "aio",
        citations: { total: 2 },
        organic_results: { total: 3 },
      },
    );
  });

  test("adds a run beside a server that goes on, which then answers from it", async () => {
    using desk = await openDesk();
    await using client = await start(genkanWords(["aio", "--db", desk.path]));
    assert.partialDeepStrictEqual(await ask(client, "list_runs"), { default_run_id: 5 });
    const page = desk.put("page.json", dataForSeoAnswer(dataForSeoTask()));
    const { code, stdout } = await genkan(
      "aio",
      "import",
      desk.path,
      page,
      "--bucket",
      "informational",
      "--run-note",
      "tea",
    );
    assert.deepEqual(
      [code, stdout],
      [0, `Run 8 of ${desk.path}: 1 page, 0 with an AI Overview, 1 without\n`],
    );
    assert.partialDeepStrictEqual(await ask(client, "compare_buckets"), {
      run: { run_id: 8, note: "tea", locale: "en" },
    });
    const more = desk.put("more.json", dataForSeoAnswer(dataForSeoTask({ keyword: "lamp" })));
    const extended = await genkan("aio", "import", desk.path, more, "--run", "8", "--json");
    assert.partialDeepStrictEqual(JSON.parse(extended.stdout), {
      run: 8,
      isNewRun: false,
      observations: 1,
    });
    const nothing = await genkan("aio", "import", desk.path, more);
    assert.deepEqual(nothing, {
      code: 0,
      stdout: "Nothing was written: there is no page that is new\n",
      stderr: `Skipped ${more}: it is in run 8 already, and a page is in one run only\n`,
    });
    const wrong = await genkan("aio", "import", desk.path, more, "--run", "99");
    assert.deepEqual([wrong.code, wrong.stdout], [1, ""]);
    assert.match(wrong.stderr, /^Cannot extend run 99: there is no such run/);
  });

  test("of many files a hundred are told, and how many more there are", async () => {
    using desk = await openDesk();
    const files = Array.from({ length: 103 }, (_, index) => join(desk.folder, `${index}.json`));
    const { code, stdout, stderr } = await genkan("aio", "import", desk.path, ...files);
    assert.deepEqual(
      [code, stdout],
      [1, "Nothing was written: none of the 103 files could be taken\n"],
    );
    const lines = stderr.trimEnd().split("\n");
    assert.deepEqual(
      [lines.length, lines.at(-1)],
      [101, "and 3 more such: --json has all of them"],
    );
  });

  test("a pattern that matched nothing and a folder are told, with what to type", async () => {
    using desk = await openDesk();
    const pattern = join(desk.folder, "*.json");
    const missing = await genkan("aio", "import", desk.path, pattern);
    assert.deepEqual(missing, {
      code: 1,
      stdout: "Nothing was written: the file could not be taken\n",
      stderr: `Cannot import "${pattern}": there is no such file, expected a page of results\n  hint: the pattern matched no file\n`,
    });
    const { stderr } = await genkan("aio", "import", desk.path, desk.folder);
    assert.equal(
      stderr,
      `Cannot import "${desk.folder}": it is a directory, expected a file\n  hint: ${pattern}\n`,
    );
  });

  test("the sample takes no import", async () => {
    using desk = await openDesk();
    const path = join(desk.folder, "sample.db");
    await genkan("aio", "sample", path, "--runs", "1", "--keywords", "1");
    const { code, stderr } = await genkan(
      "aio",
      "import",
      path,
      desk.put("page.json", serpApiPage()),
    );
    assert.deepEqual(
      [code, stderr],
      [
        1,
        `Cannot write into "${path}": it is a sample of "genkan aio sample", expected a database of your own\n  hint: a new path makes a new database\n`,
      ],
    );
  });

  test("keywords of --buckets that are on no page are told", async () => {
    using desk = await openDesk();
    const { stderr } = await genkan(
      "aio",
      "import",
      desk.path,
      desk.put("page.json", serpApiPage()),
      "--buckets",
      desk.put("buckets.csv", "Green Tea,informational\n"),
    );
    assert.equal(
      stderr,
      '1 of 1 keywords of buckets.csv is on no page: "Green Tea" (did you mean "green tea"?)\n',
    );
  });

  test("a bucket that may be a slip stops it, and is told where it is meant", async () => {
    using desk = await openDesk();
    const page = desk.put("page.json", serpApiPage());
    const words = ["aio", "import", desk.path, page, "--bucket", "informatonal"];
    assert.deepEqual(await genkan(...words), {
      code: 1,
      stdout: "",
      stderr:
        'Cannot take the bucket "informatonal": it is nearly one of those by default, did you mean "informational"?\n  hint: --own-buckets takes it as it is\n',
    });
    const { code, stderr } = await genkan(...words, "--own-buckets");
    assert.deepEqual(
      [code, stderr],
      [
        0,
        'The bucket "informatonal" is none of those by default, did you mean "informational"?\n  hint: genkan aio --buckets names others, where the database is served\n',
      ],
    );
  });

  test("where nothing can be written it ends with 1 and a sentence", async () => {
    using desk = await openDesk();
    const page = desk.put("page.json", serpApiPage());
    const bytes = readFileSync(desk.path);
    for (const [words, stderr] of [
      [["--run", "99"], /^Cannot extend run 99: there is no such run/],
      [["--run", "7"], /^Cannot extend run 7: its status is "running", expected "completed"/],
      [["--run", "1", "--run-note", "x"], /^Cannot note anything on run 1/],
      [
        ["--buckets", join(desk.folder, "none.csv")],
        /^Cannot read ".+none\.csv": it cannot be read \(ENOENT\)/,
      ],
      [
        ["--bucket", ""],
        /^Cannot import with the bucket given: it has 0 characters, expected 1 to 100/,
      ],
    ] as const) {
      const ending = await genkan("aio", "import", desk.path, page, ...words);
      assert.deepEqual([ending.code, ending.stdout], [1, ""], ending.stderr);
      assert.match(ending.stderr, stderr);
    }
    assert.deepEqual(readFileSync(desk.path), bytes);
  });
});
